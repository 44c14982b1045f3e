# The program is ended at random moments while it scans: no process of the scan goes on.
tries 300
mkdir "$WORK/app"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
APPCORE_MOCK_FAULT=load:leave in_python scans.py abandoned
