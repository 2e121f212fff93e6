"""What the console script shows while somebody waits: one line of standard error, on a terminal only."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time


def _in_units(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def _is_main() -> bool:
    """Whether Ctrl-C interrupts this thread, which alone may say what it does."""
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def unbroken():
    """A block that Ctrl-C interrupts only at its end: what it does is done as a whole."""
    before, noted = signal.getsignal(signal.SIGINT), []
    if not _is_main() or not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, lambda *arguments: noted.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        before(*noted[0])


class ProgressLine:
    """How far long work is, drawn anew until the block ends: its name, what is done, what is known, and the time that has passed.

    what        "planning", for instance
    is_quiet    no line at all

    In the block Ctrl-C ends also work that ignores a KeyboardInterrupt, as the interpreter does with one that arrives while it
    frees something: the next count() or say() raises it again, and the interpreter says nothing of it. One that work turns into an error
    of its own is a KeyboardInterrupt in the end.
    """

    def __init__(self, what: str, is_quiet: bool = False):
        self.what, self.details, self.done = what, "", ""
        self._interrupted, self._handler, self._hook = False, None, None
        self._share, self._counted, self._lock = 0.0, 0.0, threading.Lock()
        self._begun, self._ended = time.monotonic(), threading.Event()
        self._drawer = None if is_quiet or not sys.stderr.isatty() else threading.Thread(target=self._draw, daemon=True)

    def __enter__(self):
        if _is_main() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._handler = signal.signal(signal.SIGINT, self._interrupt)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._ignored
        if self._drawer is not None:
            self._drawer.start()
        return self

    def __exit__(self, kind, error, _):
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            sys.unraisablehook = self._hook
        self._ended.set()
        if self._drawer is not None:
            self._drawer.join()
            self._erase()
        if isinstance(error, Exception):
            self._raise_what_was_ignored()

    @property
    def watch(self):
        """What planning tells of itself goes to: the `progress` of memplan.plan() and its like; None where nobody looks."""
        return None if self._drawer is None else self._hear

    def _interrupt(self, number, frame):
        self._interrupted = True
        raise KeyboardInterrupt

    def _ignored(self, error):
        if not issubclass(error.exc_type, KeyboardInterrupt):
            self._hook(error)

    def _raise_what_was_ignored(self):
        if self._interrupted:
            raise KeyboardInterrupt

    def count(self, done: int, total: int | None = None, is_even: bool = False) -> None:
        """So many of `total` parts are done; None: nobody knows how many there are. Parts that are even, each as long as another, tell the time left."""
        self._raise_what_was_ignored()
        self.done = f" {done} of {total} ({100 * done // total} %)" if total else f" {done}"
        if is_even and total:
            self._counted = self._counted or time.monotonic()
            self._share = done / total

    def say(self, what: str) -> None:
        """What is being done now."""
        self._raise_what_was_ignored()
        self.details = f": {what}"

    def print(self, text: str) -> None:
        """Prints a line of standard output, which may be the same terminal."""
        with self._lock:
            self._erase()
            print(text, flush=True)

    def _erase(self):
        if self._drawer is not None:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _hear(self, now):
        known = [f"best {now.incumbent:.6g}" if now.incumbent is not None else "no plan yet"]
        known += [f"bound {now.bound:.6g}"] if now.bound is not None else []
        self.details = f": {now.solver}: {', '.join(known)}"

    def _draw(self):
        while not self._ended.wait(0.2):
            now = time.monotonic()
            left = f", {_in_units((now - self._counted) * (1 / self._share - 1))} left" if self._share else ""
            if now - self._begun > 0.5:
                with self._lock:
                    print(f"\r\x1b[K{self.what}{self.done}{self.details}, {_in_units(now - self._begun)}{left}\r", end="", file=sys.stderr, flush=True)
