# The program is killed while it saves: what the screen has said to be saved is there.
tries 1000
in_python notes.py killed
