# The plugin's file is swapped and written over while the program starts: never a mixture, no crash.
tries 600
mkdir "$WORK/app" "$WORK/builds"
for build in 1 2; do
  cp "$BUILD/libMockGood.so" "$WORK/builds/$build.so"
  echo "build $build" >> "$WORK/builds/$build.so"
done
cp "$WORK/builds/1.so" "$WORK/app/libMockGood.so"
manifest MockGood "$WORK/app/libMockGood.so" Countdown
(while :; do
  for build in 1 2; do
    cp "$WORK/builds/$build.so" "$WORK/app/new.so"
    mv -f "$WORK/app/new.so" "$WORK/app/libMockGood.so"
    head -c 20000 "$WORK/builds/2.so" > "$WORK/app/libMockGood.so"
  done
done) 2> /dev/null &
racer=$!
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  nap 20
  victim check "$WORK/app/app.yaml"
  case $status in
    0 | 65 | 69) ;;
    *) got_through "status $status: $(tail -n 1 "$WORK/output")" ;;
  esac
done
stop $racer
