# The loader searches elsewhere than the validation: empty elements, tokens, filters.
tries 100
lib=$WORK/lib cwd=$WORK/cwd
mkdir "$lib" "$WORK/app"
mkdir -m 777 "$cwd" && chmod 777 "$cwd"
library "$lib/libprobe.so" libprobe.so
evil_library "$WORK/evil.so" libprobe.so
chmod 755 "$WORK/evil.so"
# `$LIB` of this machine, below a folder that the attacker has.
open=$WORK/open
mkdir -m 777 "$open" && chmod 777 "$open"
for place in lib lib64 "lib/$(uname -m)-linux-gnu" "$(uname -m)"; do
  as_attacker mkdir -p "$open/$place"
  as_attacker cp "$WORK/evil.so" "$open/$place/libprobe.so"
done
as_attacker cp "$WORK/evil.so" "$cwd/libprobe.so"
variants=(
  "-rpath :$lib" "-rpath $lib:" "-rpath .:$lib" "-rpath $open/\$LIB:$lib"
  "-rpath $open/\$PLATFORM:$lib" "-rpath $open/\${LIB}:$lib"
  "-rpath $open/\$LIB:$lib --disable-new-dtags" "-rpath :$lib --disable-new-dtags"
  "-rpath $lib:$open/lib --auxiliary=libprobe.so" "-rpath $open/lib:$lib --filter=libprobe.so"
)
count=0
for variant in "${variants[@]}"; do
  mkdir "$WORK/app/$count"
  options=()
  for option in $variant; do options+=(-Xlinker "$option"); done
  plugin "$WORK/app/$count/libProbe.so" -L "$lib" -lprobe "${options[@]}"
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
