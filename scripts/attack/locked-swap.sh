# A locked plugin's file is replaced, and written over, while the program starts.
tries 300
locked_app
mkdir "$WORK/1" "$WORK/2"
cp "$WORK/app/libProbe.so" "$WORK/1"
# The same plugin with the attacker's code in it.
leaving_mark plugin "$WORK/2/libProbe.so" -L "$WORK/app" -lprobe -Xlinker -rpath -Xlinker '$ORIGIN'
race user "$WORK" 'for build in 1 2; do cp $build/libProbe.so new; mv -f new app/libProbe.so
  sleep 0.01; cat $((3 - build))/libProbe.so > app/libProbe.so; sleep 0.01; done'
started=0
while [ $tried -lt "$TRIES" ]; do
  tried=$((tried + 1))
  rm -f "$mark"
  nap 20
  case $((tried % 3)) in
    0) rm -rf "$XDG_CACHE_HOME" ;;
  esac
  victim run "$WORK/app/app.yaml" -c :plugins
  case $status in
    0) started=$((started + 1)) ;;
    69) ;;
    *) got_through "status $status: $(tail -n 3 "$WORK/output")" ;;
  esac
  [ ! -e "$mark" ] || got_through "code of a plugin that is not locked has run"
done
stop
echo "attack: the locked plugin started in $started of $tried" >&2
