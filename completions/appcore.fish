# Completes appcore's command line in fish; the program itself tells how it may go on.
function __appcore_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c appcore -f -a '(__appcore_complete)'
