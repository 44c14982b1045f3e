# The same on a disk that takes 1 s to write: the text is there, or its copy, and somebody was told.
tries 200
in_python endings.py fsync-1
