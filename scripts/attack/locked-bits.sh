# One bit of a plugin, the lock, the manifest or the signature is changed where signatures are required.
tries 1000
leaving_mark locked_app
policy=$WORK/policy
mkdir -m 755 "$policy"
ssh-keygen -q -t ed25519 -N '' -C signer -f "$WORK/key"
"$APPCORE" sign "$WORK/app/app.yaml" --key "$WORK/key" 2> /dev/null
printf 'signer@example.com %s\n' "$(cut -d ' ' -f 1,2 "$WORK/key.pub")" > "$policy/allowed_signers"
echo 'signatures: require' > "$policy/policy.yaml"
chmod 644 "$policy"/*
if ! scripts/with-policy.sh "$policy" true 2> /dev/null; then
  # Without a namespace there is no policy to try.
  tried=$TRIES
else
  {
    declare -f victim got_through
    echo "mark='$mark' tried=0 failures=0 RANDOM=4711"
    cat <<'END'
cd "$WORK/app"
rm -f "$mark"
# As it was signed it runs, and its code leaves the mark.
victim run app.yaml -c :path
[ $status = 0 ] && [ -e "$mark" ] || { cat "$WORK/output" >&2; exit 1; }
strace=
command -v strace > /dev/null && strace -f -o /dev/null true 2> /dev/null && strace=yes
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$mark"
  [ $((tried % 2)) = 0 ] || rm -rf "$XDG_CACHE_HOME"
  files=(libProbe.so libprobe.so appcore.lock appcore.lock.sig app.yaml)
  file=${files[$((tried % 5))]}
  size=$(stat -c %s "$file")
  place=$(((RANDOM * 32768 + RANDOM) % size))
  bit=$((RANDOM % 8))
  cp -p "$file" "$WORK/kept"
  byte=$(od -An -tu1 -j $place -N 1 "$file")
  printf "\\$(printf %03o $((byte ^ (1 << bit))))" \
    | dd of="$file" bs=1 seek=$place conv=notrunc 2> /dev/null
  if [ -n "$strace" ]; then
    status=0
    timeout -k 5 60 strace -f -e trace=execve -o "$WORK/trace" "$APPCORE" run app.yaml -c :path \
      < /dev/null > "$WORK/output" 2>&1 || status=$?
    # The program itself and the verifier, and no process that a plugin is loaded in.
    others=$(grep -c 'execve("' "$WORK/trace" | tr -d ' ') || true
    verifiers=$(grep -c 'execve("/usr/bin/ssh-keygen"' "$WORK/trace") || true
    [ "$others" = $((verifiers + 1)) ] || got_through "a process was started: $file, bit $bit of $place"
    # The manifest is compared before a process is needed.
    [ "$file" != app.yaml ] || [ "$verifiers" = 0 ] || got_through "the verifier was started"
  else
    victim run app.yaml -c :path
  fi
  case $status in
    65 | 66 | 69) ;;
    *) got_through "status $status: $file, bit $bit of $place: $(tail -n 3 "$WORK/output")" ;;
  esac
  [ ! -e "$mark" ] || got_through "code has run: $file, bit $bit of $place"
  # The times, too, which a cache goes by; not the time of the last change.
  cp -p "$WORK/kept" "$file"
done
echo "$tried $failures" > "$WORK/counts"
END
  } > "$WORK/inner.sh"
  scripts/with-policy.sh "$policy" bash -eu "$WORK/inner.sh" || exit
  read -r tried failures < "$WORK/counts"
fi
