# A session is killed, and resumed in another folder, by another path or with another variable.
tries 100
mkdir -p "$WORK/app" "$WORK/else where"
ln -s app "$WORK/link"
cat > "$WORK/app/app.yaml" <<'END'
appcore: 1
name: totals
session: { keep: disk }
vars: { data: { default: "{$dir}/data", env: TOTALS_DATA } }
plugins: [{ name: SharingStudies, with: { file: "{$vars.data}/totals.json" } }]
start: storage
nodes: { storage: { feature: SharingStudies.FileStorage } }
END
mkfifo "$WORK/lines"
export XDG_STATE_HOME=$WORK/state
folders=("$WORK/app" "$WORK/else where" /)
values=("" "" "$WORK/A" "$WORK/B")

# Chooses the folder to run in, and how the app in $1 is named there.
choose() {
  folder=${folders[RANDOM % 3]}
  name=$WORK/$1/app.yaml
  [ "$folder" != "$WORK/app" ] || [ "$1" != app ] || [ $((RANDOM % 2)) = 0 ] || name=app.yaml
}

# The number of changes in the file of a value of the variable; nothing where there is no file.
count() {
  sed -nE 's/.*"changes": ?([0-9]+).*/\1/p' "${1:-$WORK/app/data}/totals.json" 2> /dev/null || true
}

while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -rf "$WORK/app/data" "$WORK/A" "$WORK/B" "$WORK/else where/"* "$WORK/state"
  if [ $((RANDOM % 2)) = 0 ]; then app=app; else app=link; fi
  first=${values[RANDOM % 4]} second=${values[RANDOM % 4]}
  choose $app
  (
    cd "$folder"
    [ -z "$first" ] || export TOTALS_DATA=$first
    exec "$APPCORE" run "$name" --session "$WORK/kept" < "$WORK/lines" > "$WORK/output" 2>&1
  ) &
  worker=$!
  exec 4> "$WORK/lines"
  echo '@increment' >&4
  until grep -q 'after 1 changes' "$WORK/output" && [ "$(count "$first")" = 1 ]; do sleep 0.05; done
  kill -KILL $worker
  wait $worker 2> /dev/null || true
  exec 4>&-
  choose $app
  way="'$first' then '$second', $name in $folder"
  pushd "$folder" > /dev/null
  [ -z "$second" ] || export TOTALS_DATA=$second
  victim run "$name" --session "$WORK/kept" --resume -c '@increment'
  unset TOTALS_DATA
  popd > /dev/null
  # With another value the app starts afresh, and says so.
  if [ "$first" = "$second" ]; then expected=2; else expected=1; fi
  if [ $status != 0 ]; then
    got_through "$way: status $status: $(tail -n 1 "$WORK/output")"
  elif [ "$(count "$second")" != $expected ]; then
    got_through "$way: '$(count "$second")' changes, and not $expected"
  elif [ "$first" != "$second" ] && [ "$(count "$first")" != 1 ]; then
    got_through "$way: the former file has been changed"
  elif [ "$first" != "$second" ] && ! grep -q 'was begun with data' "$WORK/output"; then
    got_through "$way: nothing was said of the other value"
  elif [ -n "$(ls -A "$WORK/else where")" ] || [ -e /data ]; then
    got_through "$way: there is data in another folder"
  fi
  rm -f "$WORK/kept"*
done
