#!/usr/bin/env bash
# Keeps the case studies as they are built at a revision, as plugins of an earlier release: the tests
# run them in today's host. They are for this machine's architecture and compiler.
#
#   scripts/old-plugins.sh REVISION
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
target=$root/Tests/Fixtures/OldPlugins/$version
libraries=$target/$(uname -m)-swift-$compiler
mkdir -p "$libraries" "$target/scripts"
cp manifests/casestudies.yaml "$target/app.yaml"
cp Tests/CaseStudiesTests/Scripts/*.script "$target/scripts"
for plugin in Basics Effects Navigation Sharing HigherOrder; do
  swift build -c release --product "${plugin}Studies"
  strip --strip-unneeded -o "$work/plugin.so" ".build/release/lib${plugin}Studies.so"
  gzip -9nc "$work/plugin.so" >"$libraries/lib${plugin}Studies.so.gz"
done
ls -l "$libraries"
