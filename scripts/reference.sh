#!/usr/bin/env bash
# Writes the reference as Markdown, from a build: the public declarations of the SDK, of the test kits
# and of the library for embedding.
#
#   scripts/reference.sh BUILD FOLDER
set -euo pipefail

[ $# = 2 ] || {
  echo "usage: scripts/reference.sh BUILD FOLDER" >&2
  exit 64
}
build=$1 folder=$2 scripts=$(dirname "$0")
swiftc=$(command -v "${SWIFTC:-swiftc}") || {
  echo "reference: there is no '${SWIFTC:-swiftc}' on the PATH" >&2
  exit 69
}
toolchain=$(dirname "$(readlink -f "$swiftc")")
triple=$("$swiftc" -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)
graphs=$(mktemp -d "${TMPDIR:-/tmp}/appcore-reference.XXXXXX")
trap 'rm -rf "$graphs"' EXIT
for module in AppCore AppCoreTesting AppCoreHostTesting AppCoreHost AppCheck; do
  "$toolchain/swift-symbolgraph-extract" -module-name "$module" -target "$triple" \
    -I "$build/Modules" -I "$scripts/../Sources/CYAML" \
    -minimum-access-level public -skip-synthesized-members \
    -output-dir "$graphs"
done
mkdir -p "$folder"
"$scripts/reference.py" "$folder" "$graphs"/*.symbols.json
