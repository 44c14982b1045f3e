# The program is ended at random moments while it scans: no process of the scan goes on.
tries 300
mkdir "$WORK/app"
cp "$BUILD/libMockIntruder.so" "$WORK/app/libMockIntruder.so"
manifest MockIntruder "$WORK/app/libMockIntruder.so" Page
APPCORE_MOCK_INTRUSION=leave in_python scans.py abandoned
