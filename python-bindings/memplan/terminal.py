"""What the console script shows while somebody waits: one line of standard error, on a terminal only."""

from __future__ import annotations

import signal
import sys
import threading
import time


class ProgressLine:
    """How far long work is, drawn anew until the block ends: its name, what is done, what is known, and the time that has passed.

    what        "planning", for instance
    is_quiet    no line at all

    In the block Ctrl-C ends also work that ignores a KeyboardInterrupt, as the interpreter does with one that arrives while it
    frees something: the next count() or say() raises it again.
    """

    def __init__(self, what: str, is_quiet: bool = False):
        self.what, self.details, self.done = what, "", ""
        self._interrupted, self._handler = False, None
        self._begun, self._ended = time.monotonic(), threading.Event()
        self._drawer = None if is_quiet or not sys.stderr.isatty() else threading.Thread(target=self._draw, daemon=True)

    def __enter__(self):
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._handler = signal.signal(signal.SIGINT, self._interrupt)
        if self._drawer is not None:
            self._drawer.start()
        return self

    def __exit__(self, *_):
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        self._ended.set()
        if self._drawer is not None:
            self._drawer.join()
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    @property
    def watch(self):
        """What planning tells of itself goes to: the `progress` of memplan.plan() and its like; None where nobody looks."""
        return None if self._drawer is None else self._hear

    def _interrupt(self, number, frame):
        self._interrupted = True
        raise KeyboardInterrupt

    def _raise_what_was_ignored(self):
        if self._interrupted:
            raise KeyboardInterrupt

    def count(self, done: int, total: int) -> None:
        """So many of `total` parts are done."""
        self._raise_what_was_ignored()
        self.done = f" {done} of {total} ({100 * done // total} %)"

    def say(self, what: str) -> None:
        """What is being done now."""
        self._raise_what_was_ignored()
        self.details = f": {what}"

    def _hear(self, now):
        known = [f"best {now.incumbent:.6g}" if now.incumbent is not None else "no plan yet"]
        known += [f"bound {now.bound:.6g}"] if now.bound is not None else []
        self.details = f": {now.solver}: {', '.join(known)}"

    def _draw(self):
        while not self._ended.wait(0.2):
            seconds = time.monotonic() - self._begun
            if seconds > 0.5:
                print(f"\r\x1b[K{self.what}{self.done}{self.details}, {seconds:.0f} s\r", end="", file=sys.stderr, flush=True)
