#!/usr/bin/env bash
# Runs the tests that are built, for at most APPCORE_TEST_MINUTES (50); arguments are those of
# `swift test`.
#
# Prints the suites that passed, and of single tests those that failed, which are listed once more at
# the end; everything is in .build/test.log. When the time is up, it ends the tests and lists the
# processes that were running.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${APPCORE_TEST_MINUTES:-50}
log=.build/test.log

: >"$log"
# In a process group of its own, which can be ended as a whole.
set -m
"${SWIFT:-swift}" test --skip-build "$@" >"$log" 2>&1 </dev/null &
tests=$!
set +m
trap 'kill -TERM -- -"$tests" 2>/dev/null || true' EXIT

tail -n +1 -f --pid="$tests" "$log" \
  | grep -a --line-buffered -vE '^(◇|✔|━|➜) Test (case|"|[A-Za-z0-9_]+\()|^◇ Suite' &
shown=$!

while kill -0 "$tests" 2>/dev/null; do
  if [ "$SECONDS" -ge $((minutes * 60)) ]; then
    echo "the tests have not ended after $minutes minutes; these processes were running:"
    ps -eo pid,ppid,etime,args --forest | cut -c 1-160
    exit 1
  fi
  sleep 1
done
status=0
wait "$tests" || status=$?
wait "$shown" || true
if [ "$status" != 0 ]; then
  echo "what failed:"
  grep -aE '^✘ Test |^\*\*\* |^error: |Fatal error' "$log" | tail -n 40
fi
exit "$status"
