"""What the console script shows while somebody waits: one line of standard error, on a terminal only."""

from __future__ import annotations

import sys
import threading
import time


class ProgressLine:
    """How far long work is, drawn anew until the block ends: its name, what is done, what is known, and the time that has passed.

    what        "planning", for instance
    is_quiet    no line at all
    """

    def __init__(self, what: str, is_quiet: bool = False):
        self.what, self.details, self.done = what, "", ""
        self._begun, self._ended = time.monotonic(), threading.Event()
        self._drawer = None if is_quiet or not sys.stderr.isatty() else threading.Thread(target=self._draw, daemon=True)

    def __enter__(self):
        if self._drawer is not None:
            self._drawer.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        if self._drawer is not None:
            self._drawer.join()
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    @property
    def watch(self):
        """What planning tells of itself goes to: the `progress` of memplan.plan() and its like; None where nobody looks."""
        return None if self._drawer is None else self._hear

    def count(self, done: int, total: int) -> None:
        """So many of `total` parts are done."""
        self.done = f" {done} of {total} ({100 * done // total} %)"

    def say(self, what: str) -> None:
        """What is being done now."""
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
