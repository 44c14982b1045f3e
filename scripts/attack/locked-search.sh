# A library is put where the loader searches before a locked plugin's folder, with `--allow-writable`.
tries 300
open=$WORK/open
mkdir "$open" "$WORK/app"
# Without a name of its own the loader searches for it.
library "$WORK/app/libprobe.so" ""
plugin "$WORK/app/libProbe.so" -L "$WORK/app" -lprobe -Xlinker -rpath -Xlinker "$open" \
  -Xlinker -rpath -Xlinker '$ORIGIN'
evil_library "$WORK/evil.so" ""
chmod 755 "$WORK/evil.so"
"$APPCORE" lock "$WORK/app/app.yaml" 2> /dev/null
victim run "$WORK/app/app.yaml" --locked -c :plugins
[ $status = 0 ] || { cat "$WORK/output" >&2; exit 1; }
chmod 777 "$open"
subfolders=(. glibc-hwcaps/x86-64-v2 tls "$(uname -m)")
for folder in "${subfolders[@]}"; do as_attacker mkdir -p "$open/$folder"; done
race attacker "$open" "for folder in ${subfolders[*]}; do cp ../evil.so \$folder/libprobe.so
  sleep 0.01; rm -f \$folder/libprobe.so; sleep 0.01; done"
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$mark"
  nap 20
  [ $((tried % 3)) != 0 ] || rm -rf "$XDG_CACHE_HOME"
  victim run "$WORK/app/app.yaml" --locked --allow-writable -c :plugins
  [ $status = 69 ] || got_through "status $status: $(tail -n 3 "$WORK/output")"
  [ ! -e "$mark" ] || got_through "code of a library that is not locked has run"
done
stop
