# Files of sessions with changed bytes and cut ends: the app starts, and says what is lost.
tries 2000
app=Tests/Fixtures/manifests/mocks/crashes.yaml
mkfifo "$WORK/lines"
"$APPCORE" run $app --session "$WORK/kept.session" < "$WORK/lines" > "$WORK/output" 2>&1 &
worker=$!
exec 4> "$WORK/lines"
printf '@add\n@add\n@add\n@add\n' >&4
until grep -q 'Count 4' "$WORK/output"; do sleep 0.05; done
kill -KILL $worker
wait $worker 2> /dev/null || true
exec 4>&-
# Behind each change to the session that the file has: its length stands before it.
ends=$(python3 -c '
import sys
bytes, place = open(sys.argv[1], "rb").read(), 16
while place < len(bytes):
    place += 24 + int.from_bytes(bytes[place:place + 8], "little")
    print(place)' "$WORK/kept.session")
size=$(stat -c %s "$WORK/kept.session")
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$WORK"/try.session*
  cp "$WORK/kept.session" "$WORK/try.session"
  place=$((RANDOM % size))
  if [ $((tried % 3)) = 0 ]; then
    # A file that ends behind a change is the session as it was then.
    ! grep -qx $place <<< "$ends" || place=$((place - 1))
    truncate -s $place "$WORK/try.session"
  else
    printf "\\x$(printf %x $((RANDOM % 256)))" |
      dd of="$WORK/try.session" bs=1 seek=$place conv=notrunc status=none
  fi
  isWhole=$(cmp -s "$WORK/kept.session" "$WORK/try.session" && echo yes || echo no)
  victim run $app --session "$WORK/try.session" --resume -c ':path'
  # What is not a session at all may be somebody's file, and is refused.
  [ $place -gt 16 ] || [ $status != 65 ] || continue
  if [ $status != 0 ]; then
    got_through "place $place: status $status: $(tail -n 1 "$WORK/output")"
  elif ! grep -q 'Count [0-4]$' "$WORK/output"; then
    got_through "place $place: no count is shown"
  elif [ $isWhole = no ] && ! grep -q 'Count 4$' "$WORK/output" &&
    ! grep -q 'is damaged\|has format\|no session in' "$WORK/output"; then
    got_through "place $place: something is lost without a word"
  fi
done
