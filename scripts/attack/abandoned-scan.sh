# The program is ended at random moments of a scan whose plugin hangs and has started a process.
tries 200
mkdir "$WORK/app"
cp "$BUILD/libMockIntruder.so" "$WORK/app/libMockIntruder.so"
manifest MockIntruder "$WORK/app/libMockIntruder.so" Page
signals=(INT TERM HUP KILL)

# The processes that have this try's variable.
left() {
  local file
  for file in /proc/[0-9]*/environ; do
    if grep -qsz "^APPCORE_ATTACK=$1\$" "$file"; then basename "$(dirname "$file")"; fi
  done
}

while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  signal=${signals[$((tried % 4))]}
  token=$$-$tried
  APPCORE_ATTACK=$token APPCORE_MOCK_INTRUSION=leave \
    setsid "$APPCORE" check "$WORK/app/app.yaml" < /dev/null > /dev/null 2>&1 &
  program=$!
  # Every fourth time the scan need not have begun.
  for _ in $(seq 100); do
    [ $((tried / 4 % 4)) != 3 ] && [ "$(left "$token" | wc -l)" -lt 2 ] || break
    sleep 0.05
  done
  nap 300
  kill -"$signal" $program 2>/dev/null || true
  wait $program 2>/dev/null || true
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -n "$(left "$token")" ] || break
    sleep 0.2
  done
  remaining=$(left "$token")
  if [ -n "$remaining" ]; then
    got_through "after SIG$signal these are left: $remaining"
    kill -KILL $remaining 2>/dev/null || true
  fi
done
