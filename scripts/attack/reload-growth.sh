# A plugin is loaded again and again: the cache is trimmed as it goes, and the program tells of it.
tries 1500
mkdir "$WORK/app"
cp "$BUILD/libMockGood.so" "$WORK/good.so"
cp "$WORK/good.so" "$WORK/app/libMockGood.so"
manifest MockGood "$WORK/app/libMockGood.so" Countdown
mkfifo "$WORK/lines"
"$APPCORE" run "$WORK/app/app.yaml" < "$WORK/lines" > "$WORK/output" 2>&1 &
program=$!
exec 8> "$WORK/lines"
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  { cat "$WORK/good.so"; echo "build $tried"; } > "$WORK/app/new.so"
  mv -f "$WORK/app/new.so" "$WORK/app/libMockGood.so"
  echo ":reload MockGood" >&8
  for _ in $(seq 400); do
    [ "$(grep -c "was replaced" "$WORK/output")" -lt $tried ] || continue 2
    sleep 0.05
    kill -0 $program 2>/dev/null || break
  done
  got_through "reload $tried did not come through: $(tail -n 2 "$WORK/output")"
  break
done
old=$(find "$XDG_CACHE_HOME/appcore/plugins" -name 'MockGood-*' -not -newermt '-65 seconds' | wc -l)
[ "$old" -le 9 ] || got_through "$old old copies are left"
[ $tried -lt 210 ] || grep -q "builds of plugins are in memory" "$WORK/output" ||
  got_through "nothing tells of the builds in memory"
echo ":quit" >&8
exec 8>&-
wait $program || got_through "status $?"
