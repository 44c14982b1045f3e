# Lines come without a pause, with a reload every two seconds; a try is a second.
tries 1800
mkdir "$WORK/app"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
in_python lines.py soak
