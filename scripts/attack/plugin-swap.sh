# A plugin's file is replaced, and written over, while the program starts: one build runs, or none.
tries 300
prepare_swap libProbe.so
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  nap 20
  victim run "$WORK/app/app.yaml" -c :plugins
  case $status in
    0)
      build=$(sed -n 's/^This is build \([0-9.]*\)\.$/\1/p' "$WORK/output" | head -n 1)
      grep -q "Probe *$build" "$WORK/output" || got_through "two builds: $(cat "$WORK/output")"
      ;;
    69) ;;
    *) got_through "status $status: $(tail -n 3 "$WORK/output")" ;;
  esac
done
stop
