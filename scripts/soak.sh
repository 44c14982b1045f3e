#!/usr/bin/env bash
# What takes hours, once the tests are built: pairs of interfaces, recorded sessions, attacks, long
# runs of what may fail by chance, and both sanitizers, which have builds of their own and run beside
# the rest.
#
# A part that has passed on these files is not run again, so that after a stop the same command goes on
# with what is left. What each part prints is in .build/soak, and so is what has passed. A part that
# fails does not stop the others; the status is 1 then.
set -euo pipefail
cd "$(dirname "$0")/.."

# The files as git would commit them, new ones included.
index=$(mktemp)
trap 'rm -f "$index"' EXIT
cp "$(git rev-parse --git-path index)" "$index"
files=$(GIT_INDEX_FILE=$index sh -c 'git add --all && git write-tree')
passed=.build/soak/passed-$files
mkdir -p "$passed"

# Runs one part: its name and its command.
part() {
  local name=$1 log=.build/soak/$1.log started=$SECONDS result=0
  shift
  if [ -e "$passed/$name" ]; then
    echo "$name: passed $(cat "$passed/$name")"
    return
  fi
  "$@" >"$log" 2>&1 </dev/null || result=$?
  if [ "$result" = 0 ]; then
    echo "on $(date -u +%F) in $(((SECONDS - started + 59) / 60)) min" >"$passed/$name"
    echo "$name: passed $(cat "$passed/$name")"
  else
    echo "$name: failed with status $result; the end of $log:"
    tail -n 40 "$log"
    failed=1
  fi
}

with_the_tests() {
  failed=0
  part interfaces make --no-print-directory interfaces
  part recordings make --no-print-directory recordings
  part attacks scripts/attack.sh --tries 200
  part waiting env APPCORE_ROUNDS=1000 scripts/test.sh --filter WaitingTests
  part signatures env APPCORE_ROUNDS=1000 APPCORE_ALL_TESTS=1 \
    scripts/test.sh --filter SignedShippingTests
  part drawings env APPCORE_DRAWN_SEQUENCES=10000 scripts/test.sh --filter PictureDifferenceTests
  part faults env APPCORE_FAULTS=all APPCORE_ALL_TESTS=1 \
    scripts/test.sh --filter 'FaultMatrixTests|WaysOutTests'
  return $failed
}

with_sanitizers() {
  failed=0
  part thread-sanitizer scripts/sanitizers/run.sh thread
  part address-sanitizer scripts/sanitizers/run.sh address
  return $failed
}

# Each in a process group of its own, which is ended as a whole with this process.
set -m
with_the_tests &
tests=$!
with_sanitizers &
sanitizers=$!
set +m
trap 'rm -f "$index"; kill -TERM -- -"$tests" -"$sanitizers" 2>/dev/null || true' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
status=0
wait "$tests" || status=1
wait "$sanitizers" || status=1
[ "$status" != 0 ] || echo "every part has passed on these files"
exit "$status"
