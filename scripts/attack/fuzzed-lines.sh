# Lines of random words and bytes are typed: the app neither ends nor hangs.
tries 2000000
in_python lines.py fuzzed
