#!/usr/bin/env bash
# Runs a command where /etc/appcore is another folder: in a mount namespace of its own, so that nothing
# of the machine changes.
#
#   scripts/with-policy.sh FOLDER COMMAND…
#
# The command sees a copy of /etc with that folder in it, owned by root. It needs root, or a system that
# lets users have namespaces; the status is 77 where it can't have one.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
  [ $# -gt 1 ] || { echo "with-policy: give a folder and a command" >&2; exit 64; }
  [ -d "$1" ] || { echo "with-policy: there is no folder '$1'" >&2; exit 66; }
  options=-m
  [ "$(id -u)" = 0 ] || options=-rm
  if ! unshare $options true 2>/dev/null; then
    echo "with-policy: this system allows no namespaces" >&2
    exit 77
  fi
  exec unshare $options "$0" --inside "$@"
fi

folder=$2
shift 2
copy=$(mktemp -d "${TMPDIR:-/tmp}/appcore-etc-XXXXXX")
chmod 755 "$copy"
# Some of it only root may read, and nothing here needs it.
cp -a /etc/. "$copy" 2>/dev/null || true
rm -rf "$copy/appcore"
mkdir -m 755 "$copy/appcore"
mount --bind "$folder" "$copy/appcore"
mount --rbind "$copy" /etc
status=0
"$@" || status=$?
umount -R /etc
umount "$copy/appcore"
rm -rf "$copy"
exit $status
