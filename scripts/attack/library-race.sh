# A library at an absolute run path is swapped while the program starts.
tries 300
open=$WORK/open
mkdir -m 777 "$open" && chmod 777 "$open"
mkdir "$WORK/app"
library "$open/libprobe.so" libprobe.so
cp "$open/libprobe.so" "$WORK/good.so"
evil_library "$WORK/evil.so" libprobe.so
chmod 755 "$WORK/evil.so"
plugin "$WORK/app/libProbe.so" -L "$open" -lprobe -Xlinker -rpath -Xlinker "$open"
as_attacker cp "$WORK/evil.so" "$open/evil.so"
race attacker "$open" 'mv -f libprobe.so good.so; mv -f evil.so libprobe.so
  mv -f libprobe.so evil.so; mv -f good.so libprobe.so'
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$mark"
  nap 20
  case $((tried % 2)) in
    0) victim run "$WORK/app/app.yaml" -c :quit ;;
    1) rm -rf "$XDG_CACHE_HOME"; victim check "$WORK/app/app.yaml" ;;
  esac
  [ ! -e "$mark" ] || got_through "the attacker's library was loaded"
done
stop
