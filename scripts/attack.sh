#!/usr/bin/env bash
# Attacks the program as somebody would who has an account on the same machine, and counts what gets
# through.
#
#   scripts/attack.sh [--build FOLDER] [--tries N] [ATTACK…]
#
# Each file in scripts/attack is one attack; without names all are run. The attacker is the user nobody
# where root runs this, and full disks are tmpfs; for another user what needs root is left out. All
# that is random begins with a fixed seed. A table at the end says how often each was tried and how often
# it got through; the status is 1 where one did.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "attack: $1" >&2
  exit "${2:-70}"
}

build= tries= names=()
while [ $# -gt 0 ]; do
  case $1 in
    --build | --tries)
      [ $# -gt 1 ] || fail "'$1' needs a value" 64
      if [ "$1" = --build ]; then build=$2; else tries=$2; fi
      shift
      ;;
    -*) fail "unknown option '$1'; there are --build and --tries" 64 ;;
    *) names+=("$1") ;;
  esac
  shift
done
[ -z "$tries" ] || [[ $tries =~ ^[1-9][0-9]*$ ]] || fail "--tries is '$tries'; it must be a number" 64
if [ ${#names[@]} = 0 ]; then
  for file in scripts/attack/*.sh; do names+=("$(basename "$file" .sh)"); done
fi
for name in "${names[@]}"; do
  [ -f "scripts/attack/$name.sh" ] || fail "there is no attack '$name'" 64
done
if [ -z "$build" ]; then
  swift build >&2 || fail "the program can't be built"
  build=$(swift build --show-bin-path)
fi
[ -x "$build/appcore" ] || fail "there is no program in '$build'" 66
build=$(cd "$build" && pwd)

# Not below a folder that only its owner may enter: the attacker has to get there.
work=$(mktemp -d "${TMPDIR:-/tmp}/appcore-attack-XXXXXX")
chmod 755 "$work"
trap 'rm -f "$work"/*/racing; umount "$work"/*/disk 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

rows=() status=0
for name in "${names[@]}"; do
  mkdir "$work/$name"
  if ! (
    export BUILD=$build APPCORE=$build/appcore WORK=$work/$name TRIES=$tries
    source scripts/attack/lib/common
    source "scripts/attack/$name.sh"
    echo "$tried $failures" > "$WORK/result"
  ) >&2; then
    fail "the attack '$name' could not be run to its end"
  fi
  read -r tried failures < "$work/$name/result"
  rows+=("| \`$name\` | $(sed -n 's/^# //p;q' "scripts/attack/$name.sh") | $tried | $failures |")
  [ "$failures" = 0 ] || status=1
  chmod -R u+rwX "$work/$name" && rm -rf "${work:?}/$name"
done

echo "| attack | what is tried | tries | got through |"
echo "| --- | --- | ---: | ---: |"
printf '%s\n' "${rows[@]}"
exit $status
