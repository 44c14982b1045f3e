# SIGTERM comes while text is written: what the screen has shown is saved.
tries 1000
in_python notes.py accepted
