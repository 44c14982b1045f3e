# A plugin is built and loaded anew again and again: each build is taken, and few copies are left.
tries 1500
mkdir "$WORK/app"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
in_python lines.py growth
