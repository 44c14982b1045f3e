#!/bin/sh
# Starts {{name}}; arguments are those of `appcore run`.
case ${1-} in
  --version)
    printf '%s\n' {{title}}
    exit ;;
  -h | --help)
    cat <<'END_OF_HELP'
{{help}}
END_OF_HELP
    ;;
esac
# Called by a bare name, as by `sh NAME`, it is in the current folder.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do
  link=$(readlink "$self") || exit 70
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
# The letter keeps newlines at the end of the name; CDPATH would lead elsewhere.
root=$(CDPATH= cd -- "${self%/*}/.." && pwd && echo x) || exit 70
root=${root%??}
{{host}}
case ${1-} in -h | --help) "$host" run --help | sed -n '/^OPTIONS:/,$p'; exit ;; esac
exec "$host" run "$root/{{folder}}/"{{manifest}} \
  --plugin-path "$root/lib/appcore/plugins" --locked "$@"
