# A library of the system's is put into an open folder of the run path after the first start.
tries 300
open=$WORK/open
mkdir -m 777 "$open" && chmod 777 "$open"
name=$(unloaded_library)
mkdir "$WORK/app"
library "$WORK/stub.so" ""
mkdir "$WORK/link"
library "$WORK/link/$name" "$name"
plugin "$WORK/app/libProbe.so" -Xlinker --no-as-needed -L "$WORK/link" "-l:$name" \
  -Xlinker -rpath -Xlinker "$open" -Xlinker -rpath -Xlinker '$ORIGIN' \
  -Xlinker --unresolved-symbols=ignore-all -L "$WORK/app"
# The system's has no such function; the plugin's own has.
library "$WORK/app/libprobe.so" ""
plugin "$WORK/app/libProbe.so" -Xlinker --no-as-needed -L "$WORK/link" "-l:$name" -L "$WORK/app" \
  -lprobe -Xlinker -rpath -Xlinker '$ORIGIN' -Xlinker -rpath -Xlinker "$open"
evil_library "$WORK/evil.so" "$name"
chmod 755 "$WORK/evil.so"
# From now on the files' times tell them from later ones.
sleep 3
victim check "$WORK/app/app.yaml"
[ $status = 0 ] || { cat "$WORK/output" >&2; exit 1; }
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$open/$name" "$mark"
  victim run "$WORK/app/app.yaml" -c :quit
  [ $status = 0 ] || { cat "$WORK/output" >&2; exit 1; }
  as_attacker cp "$WORK/evil.so" "$open/$name"
  case $((tried % 3)) in
    0) victim run "$WORK/app/app.yaml" -c :quit ;;
    1) victim check "$WORK/app/app.yaml" ;;
    2) victim check --rescan "$WORK/app/app.yaml" ;;
  esac
  [ ! -e "$mark" ] || got_through "the library in the open folder was loaded"
done
