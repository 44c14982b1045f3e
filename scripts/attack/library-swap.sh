# The user's own library beside a plugin is written over while the program starts: never a mixture.
tries 300
mkdir "$WORK/app" "$WORK/builds"
library "$WORK/app/libprobe.so" libprobe.so
plugin "$WORK/app/libProbe.so" -L "$WORK/app" -lprobe -Xlinker -rpath -Xlinker "$WORK/app"
for build in 1 2; do
  echo "int probe(void) { return $build; }" > "$WORK/library.c"
  cc -shared -fPIC -o "$WORK/builds/$build.so" "$WORK/library.c" -Wl,-soname,libprobe.so
done
race user "$WORK/app" 'for build in 1 2; do
  cp ../builds/$build.so new.so; mv -f new.so libprobe.so; : > libprobe.so; done'
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  nap 20
  victim run "$WORK/app/app.yaml" -c :quit
  case $status in
    0 | 65 | 69) ;;
    *) got_through "status $status: $(tail -n 1 "$WORK/output")" ;;
  esac
done
stop
