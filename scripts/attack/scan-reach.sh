# A plugin signals the program from the scan, exits, crashes, floods, or takes all memory.
tries 60
mkdir "$WORK/app"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
faults=(load:kill load:abort load:exit load:flood load:hog load:overflow)
while [ $tried -lt "$TRIES" ]; do
  fault=${faults[$((tried % ${#faults[@]}))]}
  tried=$((tried + 1))
  export APPCORE_MOCK_FAULT=$fault
  victim check --rescan "$WORK/app/app.yaml"
  [ $status = 69 ] || got_through "$fault: status $status"
done
unset APPCORE_MOCK_FAULT
