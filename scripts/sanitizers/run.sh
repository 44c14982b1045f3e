#!/usr/bin/env bash
# Builds everything with a sanitizer, apart from the usual build, and runs the tests under it.
#
#   scripts/sanitizers/run.sh thread|address [FILTER]
#
# A scan gives its process less address space than a sanitizer needs, and compilers make plugins
# without one. So scanning is off, and what these tests are about can't be run:
#   - DocumentationTests, InstallTests: they compile and run programs of a user's own;
#   - MockPluginAppTests, PluginRefusalTests, PluginFileTests, FaultTests, IntruderTests,
#     DamagedFileTests: they load plugins that trap or worse, which only a scan survives;
#   - LazyLoadingTests: without a scan nothing is loaded before it is needed;
#   - AppCoreCLITests: their programs fork, end by signals that a sanitizer takes for itself, and load
#     plugins that were built without one;
#   - DeepRecursionTests, DeepEffectTests: a sanitizer's frames are so long that 100,000 levels are
#     refused;
#   - GrowthTests: they count the steps of code that other tests run too, for thousands of lines.
# Under the thread sanitizer also these, which take many minutes there: those of one thread that go a
# hundred thousand steps, in which nothing can race; ReloadTests and FailureTests, which load a file
# for each step. And these, which it can't run: CallStackTests and the test of ten thousand
# scopes, because it ends a process with more than 65,536 calls within each other.
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
skip='DocumentationTests|InstallTests|MockPluginAppTests|PluginRefusalTests|PluginFileTests'
skip+='|FaultTests|IntruderTests|LazyLoadingTests|AppCoreCLITests|DeepRecursionTests'
skip+='|DeepEffectTests|GrowthTests|DamagedFileTests'
if [ "$sanitizer" = thread ]; then
  skip+='|DepthTests|ModelTests|FuzzTests|MutationTests|DamageTests|MisspellingTests'
  skip+='|ReloadTests|FailureTests'
  skip+='|CallStackTests|deepScopes'
fi

# The backtracer forks, which a sanitizer that is reporting does not survive.
export APPCORE_SCANNER= SWIFT_BACKTRACE=enable=no
export TSAN_OPTIONS="suppressions=$PWD/scripts/sanitizers/thread.supp"
# What lives for as long as the process is no leak, and Swift's metadata is never freed.
# Locals stay on the stack: how much of it is left is told by where they are.
export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=0"

swift build --build-tests "${flags[@]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
swift test --skip-build "${flags[@]}" --skip "$skip" ${2:+--filter "$2"} 2>&1 | tee "$log" \
  || status=$?
reports=$(grep -c -E '(WARNING: Thread|ERROR: Address)Sanitizer' "$log" || true)
echo "sanitizer '$sanitizer': $reports reports"
[ "$status" = 0 ] && [ "$reports" = 0 ]
