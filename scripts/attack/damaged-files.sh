# Damaged ELF files, with bytes changed and ends cut off, are read; a few are loaded by a scan.
tries 100000
cc -O2 -o "$WORK/damage" scripts/attack/lib/damage.c
batch=200
mkdir "$WORK/files"
seed=0
while [ $tried -lt "$TRIES" ]; do
  count=$((TRIES - tried < batch ? TRIES - tried : batch))
  seed=$((seed + 1))
  "$WORK/damage" "$BUILD/libMockFaults.so" "$WORK/files" $seed $count
  options=()
  # One batch in twenty is loaded, in the scanning process.
  [ $((seed % 20)) != 0 ] || options=(--scan)
  status=0
  timeout -k 5 300 "$APPCORE" inspect "${options[@]}" "$WORK"/files/*.so > "$WORK/output" 2>&1 || status=$?
  tried=$((tried + count))
  case $status in
    0 | 65 | 69) ;;
    *) got_through "seed $seed: status $status: $(tail -n 1 "$WORK/output")" ;;
  esac
  rm -f "$WORK"/files/*.so
done
