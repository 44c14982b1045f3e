# Text is not saved when the notes app ends, in each of 26 ways: it is on the disk then.
tries 200
in_python endings.py fsync-0
