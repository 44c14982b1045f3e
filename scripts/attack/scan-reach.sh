# A plugin signals the program from the scan, exits, crashes, floods, or takes all memory.
tries 60
mkdir "$WORK/app"
mkdir "$WORK/intruder"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
cp "$BUILD/libMockIntruder.so" "$WORK/intruder/libMockIntruder.so"
manifest MockIntruder "$WORK/intruder/libMockIntruder.so" Page
faults=(kill load:abort load:exit load:flood load:hog load:overflow)
while [ $tried -lt "$TRIES" ]; do
  fault=${faults[$((tried % ${#faults[@]}))]}
  tried=$((tried + 1))
  app=app
  [ "$fault" != kill ] || app=intruder
  export APPCORE_MOCK_FAULT=$fault APPCORE_MOCK_INTRUSION=$fault
  victim check --rescan "$WORK/$app/app.yaml"
  [ $status = 69 ] || got_through "$fault: status $status"
done
unset APPCORE_MOCK_FAULT APPCORE_MOCK_INTRUSION
