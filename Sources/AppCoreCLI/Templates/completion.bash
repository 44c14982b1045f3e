# Completes the options of {{name}} in bash: they are those of `appcore run`.
{{function}}() {
  source <({{program}} --generate-completion-script bash 2>/dev/null)
  COMP_WORDS=({{program}} run {{manifest}} "${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD + 2))
  _appcore "${COMP_WORDS[0]}" "$2" "$3" 2>/dev/null
}
complete -o bashdefault -F {{function}} {{name}}
