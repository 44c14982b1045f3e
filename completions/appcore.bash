# Completes appcore's command line in bash; the program itself tells how it may go on.
_appcore() {
  local line words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  # '=' parts words for bash and not for appcore; the part behind it is what bash replaces.
  local typed=${COMP_LINE:0:COMP_POINT}
  COMPREPLY=()
  local lead=
  case ${typed##* } in
    -*=*)
      lead=${typed##* }
      lead=${lead%%=*}=
      words=(${typed#* })
      ;;
  esac
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$lead"}")
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
  # What is not finished gets no space: a folder, a variable, a link's beginning.
  case ${COMPREPLY[0]-} in
    */ | *=) [ "${#COMPREPLY[@]}" -ne 1 ] || compopt -o nospace ;;
  esac
}
complete -F _appcore appcore
