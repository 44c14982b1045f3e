#!/usr/bin/env bash
# Tries sessions long and at random: images that were damaged, plans of random sessions under random
# manifests, and apps that are killed on a terminal. `make test` does the same for some seconds.
#
#   scripts/sessions.sh [--build FOLDER] [images N] [plans N] [kills N]
#
# Without names, all are tried: 1,000,000 images, 10,000 plans and 1,000 kills. All that is random begins
# with a fixed seed. The status is 1 where anything went wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "sessions: $1" >&2
  exit "${2:-70}"
}

build= names=()
declare -A counts=([images]=1000000 [plans]=10000 [kills]=1000)
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || fail "'$1' needs a value" 64
  case $1 in
    --build) build=$2 ;;
    images | plans | kills)
      [[ $2 =~ ^[1-9][0-9]*$ ]] || fail "'$1' takes a number, not '$2'" 64
      names+=("$1")
      counts[$1]=$2
      ;;
    *) fail "unknown word '$1'; there are --build, images, plans and kills" 64 ;;
  esac
  shift 2
done
[ ${#names[@]} -gt 0 ] || names=(images plans kills)
if [ -z "$build" ]; then
  swift build --build-tests >&2 || fail "the program can't be built"
  build=$(swift build --show-bin-path)
fi
[ -x "$build/appcore" ] || fail "there is no program in '$build'" 66

tests() {
  "$build/appcorePackageTests.xctest" --testing-library swift-testing --filter "$1" > "$output" 2>&1 || {
    cat "$output" >&2
    return 1
  }
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
for name in "${names[@]}"; do
  count=${counts[$name]}
  case $name in
    images) APPCORE_FUZZ_IMAGES=$count tests ImageFuzzTests ;;
    plans) APPCORE_FUZZ_PLANS=$count tests RandomPlanTests ;;
    kills) python3 scripts/sessions/kills.py "$build/appcore" "$count" ;;
  esac && echo "$name: $count, nothing went wrong" || {
    echo "$name: something went wrong"
    status=1
  }
done
exit $status
