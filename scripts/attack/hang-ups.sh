# A hang-up is sent again at once, as shells do: what was written is saved.
tries 300
in_python notes.py hang-ups
