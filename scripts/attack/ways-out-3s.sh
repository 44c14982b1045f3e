# The same on a disk that takes 3 s to write: the text is there, or its copy, and somebody was told.
tries 200
in_python endings.py fsync-3
