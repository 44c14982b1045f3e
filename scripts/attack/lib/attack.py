"""What attacks in Python share: they are run as `FILE NAME PROGRAM TRIES`, and print how often they
tried and how often something got through."""

import random
import signal
import sys


def run(attacks):
    """Runs the attack that the command line names, always with the same random numbers."""
    # A shell may have had these ignored, and so would the programs that are started here.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    name, program, tries = sys.argv[1], sys.argv[2], int(sys.argv[3])
    tried = failures = 0
    for trouble in attacks[name](program, tries, random.Random(f"{name} 17")):
        tried += 1
        if trouble:
            failures += 1
            print(f"attack: try {tried} got through: {trouble}", file=sys.stderr, flush=True)
    print(tried, failures)
