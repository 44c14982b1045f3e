#!/usr/bin/env bash
# Runs what must not race in the test kit very often: idle, then with every core busy.
#
#   scripts/races.sh [RUNS]    each form RUNS times; 10,000 unless given
#
# It needs what `swift build --build-tests` makes.
set -euo pipefail

runs=${1:-10000}
case $runs in
  '' | *[!0-9]*)
    echo "races: '$runs' is not a number of runs; type: scripts/races.sh 10000" >&2
    exit 64
    ;;
esac
cd "$(dirname "$0")/.."

race() {
  echo "races: $runs runs of each form, $1"
  APPCORE_RACES=$runs "${SWIFT:-swift}" test --skip-build --filter SettlingTests
}

race "idle"

busy=()
trap '[ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null' EXIT
for _ in $(seq "$(nproc)"); do
  (while :; do :; done) &
  busy+=($!)
done
race "with every core busy"
