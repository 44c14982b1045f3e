#!/usr/bin/env bash
# Builds the tests with a sanitizer, apart from the usual build, and runs them under it.
#
#   scripts/sanitizers/run.sh thread|address [FILTER]
#
# A test that can't run under one says so where it stands (`.notSanitized`, `.notThreadSanitized`). Left
# out as a whole are the targets whose programs are not built with it: they compile and start programs
# that fork, or end by signals that a sanitizer takes for itself. So is the listing of a test that
# documents show as it is.
set -euo pipefail
cd "$(dirname "$0")/../.."

sanitizer=${1:-}
case $sanitizer in
  thread) scratch=.build/tsan ;;
  address) scratch=.build/asan ;;
  *)
    echo "usage: scripts/sanitizers/run.sh thread|address [FILTER]" >&2
    exit 64
    ;;
esac
flags=(--sanitize="$sanitizer" --scratch-path "$scratch")
targets=$(find Tests -maxdepth 1 -name '*Tests' -printf '%f\n' \
  | grep -vE '^AppCoreCLITests$' | sort | paste -sd,)
export APPCORE_SANITIZER=$sanitizer APPCORE_TEST_TARGETS=$targets

# A scan gives its process less address space than a sanitizer needs, and compilers make plugins
# without one. The backtracer forks, which a sanitizer that is reporting does not survive.
export APPCORE_SCANNER= SWIFT_BACKTRACE=enable=no
export TSAN_OPTIONS="suppressions=$PWD/scripts/sanitizers/thread.supp"
# What lives for as long as the process is no leak, and Swift's metadata is never freed.
# Locals stay on the stack: how much of it is left is told by where they are.
export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=0"

swift build --build-tests "${flags[@]}"
# One process for each target, so that a test that ends one hides the results of no other target.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
for target in ${targets//,/ }; do
  swift test --skip-build "${flags[@]}" --skip PluginFileTests --filter "^$target\\.${2:+.*$2}" 2>&1 \
    | tee -a "$log" || status=$?
done
reports=$(grep -c -E '(WARNING: Thread|ERROR: Address)Sanitizer' "$log" || true)
echo "sanitizer '$sanitizer': $reports reports"
[ "$status" = 0 ] && [ "$reports" = 0 ]
