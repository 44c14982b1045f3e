# The plugin's file is swapped and written over while the program starts: never a mixture, no crash.
tries 600
mkdir "$WORK/app" "$WORK/builds"
for build in 1 2; do
  cp "$BUILD/libMockGood.so" "$WORK/builds/$build.so"
  echo "build $build" >> "$WORK/builds/$build.so"
done
cp "$WORK/builds/1.so" "$WORK/app/libMockGood.so"
manifest MockGood "$WORK/app/libMockGood.so" Countdown
race user "$WORK/app" 'for build in 1 2; do cp ../builds/$build.so new.so
  mv -f new.so libMockGood.so; head -c 20000 ../builds/2.so > libMockGood.so; done'
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  nap 20
  victim check "$WORK/app/app.yaml"
  case $status in
    0 | 65 | 69) ;;
    *) got_through "status $status: $(tail -n 1 "$WORK/output")" ;;
  esac
done
stop
