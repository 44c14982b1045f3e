# Signals come at random moments while the program runs on a terminal, which is as it was afterwards.
tries 5000
in_python terminal.py signals
