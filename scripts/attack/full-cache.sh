# The disk of the cache is full, or there is none: the program starts all the same.
tries 40
mkdir "$WORK/app" "$WORK/disk"
cp "$BUILD/libMockFaults.so" "$WORK/app/libMockFaults.so"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
if [ "$isRoot" = yes ]; then
  mount -t tmpfs -o size=64k,mode=0700 none "$WORK/disk"
  head -c 60000 /dev/zero > "$WORK/disk/filling"
  places=("$WORK/disk" /proc/nowhere)
else
  places=(/proc/nowhere)
fi
while [ $tried -lt "$TRIES" ]; do
  place=${places[$((tried % ${#places[@]}))]}
  tried=$((tried + 1))
  # Every second time no temporary folder takes it either.
  temporary=/tmp
  [ $((tried / 2 % 2)) = 0 ] || temporary=$place
  XDG_CACHE_HOME=$place TMPDIR=$temporary victim check "$WORK/app/app.yaml"
  [ $status = 0 ] || got_through "status $status with the cache in $place: $(cat "$WORK/output")"
done
if [ "$isRoot" = yes ]; then umount "$WORK/disk"; fi
