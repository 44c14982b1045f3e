# A stop comes from elsewhere than the keyboard: meanwhile the terminal is as it was.
tries 300
in_python terminal.py stops
