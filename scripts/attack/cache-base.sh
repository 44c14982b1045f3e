# The cache is in a folder that all users share; the attacker makes its folder first, and swaps it.
tries 300
shared=$WORK/shared
mkdir -m 1777 "$shared" && chmod 1777 "$shared"
mkdir "$WORK/app"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
# The names of the copies are no secret.
victim check "$WORK/app/app.yaml"
copies=$(ls "$XDG_CACHE_HOME/appcore/plugins")
evil_library "$WORK/evil.so" ""
chmod 755 "$WORK/evil.so"
as_attacker mkdir -m 777 "$shared/appcore" "$shared/appcore/evil"
as_attacker chmod 777 "$shared/appcore" "$shared/appcore/evil"
for copy in $copies; do as_attacker cp "$WORK/evil.so" "$shared/appcore/evil/$copy"; done
race attacker "$shared/appcore" 'mv -T plugins mine; mv -T evil plugins
  mv -T plugins evil; mv -T mine plugins'
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$mark"
  nap 20
  XDG_CACHE_HOME=$shared victim run "$WORK/app/app.yaml" -c :quit
  [ ! -e "$mark" ] || got_through "the attacker's copy was loaded"
done
stop
