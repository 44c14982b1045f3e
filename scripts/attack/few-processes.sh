# Hardly any processes, descriptors or memory are granted: the start works, or says so within 5 s.
tries 300
mkdir "$WORK/app"
# Where another user may read them: root's processes are not counted.
ldd "$APPCORE" | grep -Eo '/[^ ]*(swift|AppCore)[^ ]*' | sort -u | xargs cp -Lt "$WORK/app"
cp "$APPCORE" "$BUILD/libMockFaults.so" "$WORK/app"
manifest MockFaults "$WORK/app/libMockFaults.so" Page
# With less memory than the program itself takes, the kernel ends it before its first instruction.
least=$(($(size "$APPCORE" | awk 'NR == 2 { print $4 }') / 1024 + 1024))
while [ $tried -lt "$TRIES" ]; do
  case $((tried % 3)) in
    0) limit=u most=$((RANDOM % 24 + 1)) ;;
    1) limit=n most=$((RANDOM % 40 + 3)) ;;
    2) limit=v most=$((RANDOM * 8 + least)) ;;
  esac
  tried=$((tried + 1))
  rm -rf "$WORK/places"
  mkdir -m 1777 "$WORK/places"
  began=$(date +%s%N) status=0
  as_attacker env -C "$WORK/app" HOME="$WORK/places" XDG_CACHE_HOME="$WORK/places" \
    timeout -k 5 60 bash -c "ulimit -$limit $most; exec ./appcore run --rescan app.yaml" \
    < /dev/null > "$WORK/output" 2>&1 || status=$?
  took=$((($(date +%s%N) - began) / 1000000))
  case $status in
    0 | 66 | 69 | 70 | 74) [ $took -le 5000 ] || got_through "ulimit -$limit $most: it took $took ms" ;;
    *)
      # The words of the dynamic loader, before the program's first instruction, and of Swift's runtime.
      grep -qE 'error while loading shared libraries|failed to allocate .* of memory' \
        "$WORK/output" || got_through "ulimit -$limit $most: status $status: $(cat "$WORK/output")"
      ;;
  esac
done
