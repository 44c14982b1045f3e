"""Attacks on the modes of a terminal: each is a generator that gives, for each try, what was left."""

import fcntl
import os
import pty
import select
import signal
import termios
import time

import attack

CONSOLE = "Tests/Fixtures/manifests/console/console.yaml"
# What ends a process, unless it is SIGKILL; the program ignores SIGPIPE and SIGXFSZ.
ENDING = [number for number in range(1, 65)
          if number not in (9, 13, 17, 18, 19, 20, 21, 22, 23, 25, 28, 32, 33)]


class Terminal:
    """The mock console on a pseudo-terminal, as the job of a shell that waits for it."""

    def __init__(self, appcore, *options):
        self.leader, self.follower = pty.openpty()
        self.before = termios.tcgetattr(self.follower)
        reading, writing = os.pipe()
        self.shell = os.fork()
        if self.shell == 0:
            self.be_shell(appcore, options, reading, writing)
        os.close(writing)
        self.program = int(os.read(reading, 16))
        os.close(reading)
        self.has_ended = False

    def be_shell(self, appcore, options, reading, writing):
        try:
            os.close(reading)
            os.setsid()
            fcntl.ioctl(self.follower, termios.TIOCSCTTY, 0)
            # Who gives the terminal to another group would be stopped.
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            program = os.fork()
            if program == 0:
                os.setpgid(0, 0)
                os.tcsetpgrp(self.follower, os.getpid())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                signal.signal(signal.SIGHUP, signal.SIG_DFL)
                # What Python ignores, a program that it starts would ignore, too.
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                for descriptor in range(3):
                    os.dup2(self.follower, descriptor)
                os.environ["TERM"] = "xterm"
                # The toolchain's backtracer would wait for a key.
                os.environ["SWIFT_BACKTRACE"] = "enable=no"
                # Only from here on it gets signals.
                os.write(writing, str(os.getpid()).encode())
                os.execv(appcore, [appcore, "run", CONSOLE, "--no-history", *options])
            os.close(writing)
            os.waitpid(program, 0)
        finally:
            os._exit(0)

    def send(self, number):
        """Sends a signal; whether there was somebody to get it."""
        try:
            os.kill(self.program, number)
            return True
        except ProcessLookupError:
            return False

    def read(self, seconds):
        """Takes what the program draws, for so long."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([self.leader], [], [], rest)[0]:
                os.read(self.leader, 65536)

    def wait(self, condition, seconds=20):
        """Waits for something; whether it came."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            self.read(0.005)
        return True

    def ended(self):
        if not self.has_ended:
            self.has_ended = os.waitpid(self.shell, os.WNOHANG)[0] == self.shell
        return self.has_ended

    def is_restored(self):
        return termios.tcgetattr(self.follower)[:4] == self.before[:4]

    def is_stopped(self):
        with open(f"/proc/{self.program}/stat") as file:
            return file.read().rsplit(")")[-1].split()[0] == "T"

    def finish(self):
        """Waits for the end; returns what is wrong then."""
        if not self.wait(self.ended):
            os.kill(self.program, signal.SIGKILL)
            os.waitpid(self.shell, 0)
            return "it does not end"
        return None if self.is_restored() else "the terminal is left in other modes"

    def close(self):
        os.close(self.leader)
        os.close(self.follower)


def signals(appcore, tries, chance):
    for _ in range(tries):
        # A supervisor restores the app after most of them.
        terminal = Terminal(appcore, "--no-supervise")
        terminal.read(chance.random() * 0.15)
        numbers = chance.sample(ENDING, chance.randint(1, 2))
        for number in numbers:
            if not terminal.send(number):
                break
            time.sleep(chance.random() * 0.005)
        trouble = terminal.finish()
        terminal.close()
        yield trouble and f"{trouble}, after signals {numbers}"


def stops(appcore, tries, chance):
    for _ in range(tries):
        terminal = Terminal(appcore)
        trouble = None
        if not terminal.wait(lambda: not terminal.is_restored()):
            trouble = "the program does not take the terminal"
        terminal.read(chance.random() * 0.05)
        terminal.send(signal.SIGTSTP)
        if not terminal.wait(terminal.is_stopped):
            trouble = trouble or "it does not stop"
        elif not terminal.is_restored():
            trouble = trouble or "while it is stopped the terminal is in its modes"
        terminal.send(signal.SIGCONT)
        if not terminal.wait(lambda: not terminal.is_restored()):
            trouble = trouble or "it does not take the terminal again"
        terminal.send(signal.SIGTERM)
        trouble = trouble or terminal.finish()
        if not terminal.has_ended:
            terminal.finish()
        terminal.close()
        yield trouble


if __name__ == "__main__":
    attack.run({"signals": signals, "stops": stops})
