# A library beside the plugin is replaced, and written over, while the program starts.
tries 300
prepare_swap libprobe.so
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  nap 20
  victim run "$WORK/app/app.yaml" -c :quit
  case $status in
    0) grep -q '^The library says [12]\.$' "$WORK/output" || got_through "$(cat "$WORK/output")" ;;
    69) ;;
    *) got_through "status $status: $(tail -n 3 "$WORK/output")" ;;
  esac
done
stop
