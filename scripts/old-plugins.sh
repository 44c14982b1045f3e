#!/usr/bin/env bash
# Keeps the case studies as they are built at a revision, as plugins of an earlier release: the tests
# run them in today's host. They are for this machine's architecture and compiler.
#
#   scripts/old-plugins.sh REVISION
#
# With the first of a release it also keeps a session that the release's host leaves. So the checkout
# is at that release then, its tests are built, and scripts/api.py has recorded it.
set -euo pipefail

[ $# = 1 ] || { echo "old-plugins: which revision? As in: scripts/old-plugins.sh v0.2.0" >&2; exit 64; }
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/appcore-old-plugins.XXXXXX")
trap 'git worktree remove --force "$work/tree" 2>/dev/null; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/tree" "$1"
cd "$work/tree"

version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/SDK/AppCore/SDK.swift)
compiler=$(swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')
release=$root/Tests/Fixtures/OldPlugins/$version
target=$(uname -m)-swift-$compiler
[ ! -e "$release/$target" ] || {
  echo "old-plugins: there are plugins of $version for $target; a release is kept once" >&2
  exit 65
}
epoch=$(sed -n 's/.*static let epoch = \([0-9]*\).*/\1/p' Sources/SDK/AppCore/SDK.swift)
recorded=api/epoch-$epoch/$version.swiftinterface
[ -e "$release/kept.session" ] || [ -e "$root/$recorded" ] || {
  echo "old-plugins: there is no $recorded; type: scripts/api.py record" >&2
  exit 66
}
mkdir -p "$work/plugins"
for plugin in Basics Effects Navigation Sharing HigherOrder; do
  swift build -c release --product "${plugin}Studies"
  strip --strip-unneeded -o "$work/plugin.so" ".build/release/lib${plugin}Studies.so"
  gzip -9nc "$work/plugin.so" >"$work/plugins/lib${plugin}Studies.so.gz"
done
if [ ! -e "$release" ]; then
  mkdir -p "$release/scripts"
  cp manifests/casestudies.yaml "$release/app.yaml"
  cp Tests/PluginsTests/CaseStudies/Scripts/*.script "$release/scripts"
fi
mv "$work/plugins" "$release/$target"
if [ ! -e "$release/kept.session" ]; then
  cd "$root"
  RECORD=1 swift test --skip-build --filter 'OldPluginTests/resume'
fi
ls -l "$release" "$release/$target"
