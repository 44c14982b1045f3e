# The loader searches elsewhere than the validation: empty elements, tokens, filters.
tries 100
lib=$WORK/lib cwd=$WORK/cwd open=$WORK/open
name=$(unloaded_library)
mkdir "$lib" "$WORK/app"
mkdir -m 777 "$cwd" "$open" && chmod 777 "$cwd" "$open"
library "$lib/$name" "$name"
library "$lib/libprobe.so" libprobe.so
evil_library "$WORK/evil.so" "$name"
chmod 755 "$WORK/evil.so"
# What `$LIB` and `$PLATFORM` may mean, below a folder that the attacker has.
for place in lib lib64 "lib/$(uname -m)-linux-gnu" "$(uname -m)" haswell; do
  as_attacker mkdir -p "$open/$place"
  as_attacker cp "$WORK/evil.so" "$open/$place/$name"
done
as_attacker cp "$WORK/evil.so" "$cwd/$name"
variants=(
  "-rpath :\$ORIGIN" "-rpath \$ORIGIN:" "-rpath .:\$ORIGIN" "-rpath $open/\$LIB:\$ORIGIN"
  "-rpath $open/\$PLATFORM:\$ORIGIN" "-rpath $open/\${LIB}:\$ORIGIN"
  "-rpath $open/\$LIB:\$ORIGIN --disable-new-dtags" "-rpath :\$ORIGIN --disable-new-dtags"
  "-rpath \$ORIGIN:$open/lib --auxiliary=$name" "-rpath \$ORIGIN:$open/lib --filter=$name"
)
count=0
for variant in "${variants[@]}"; do
  app=$WORK/app/$count
  mkdir "$app"
  cp "$lib/libprobe.so" "$app"
  options=()
  for option in $variant; do options+=(-Xlinker "$option"); done
  plugin "$app/libProbe.so" -Xlinker --no-as-needed -L "$lib" -lprobe "-l:$name" "${options[@]}"
  count=$((count + 1))
done
cd "$cwd"
while [ $tried -lt "$TRIES" ]; do
  app=$WORK/app/$((tried % count))/app.yaml
  tried=$((tried + 1))
  rm -f "$mark"
  victim run "$app" -c :quit
  [ ! -e "$mark" ] || got_through "${variants[$(((tried - 1) % count))]}"
done
