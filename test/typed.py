"""Commands on a pseudo-terminal, as when a person types them."""
import os
import pty
import re
import select
import signal
import subprocess
import time


# What a test waits for comes at once on an idle machine. On a busy one to import PyTorch alone can take minutes: this limit only ends a hang.
PATIENCE = 600


class Typed:
    """A command whose standard error, and where asked standard output, is a terminal."""

    def __init__(self, *command, output=subprocess.DEVNULL):
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=end if output is None else output, stderr=end)
        os.close(end)
        self.said = ""

    def read(self, wanted="", seconds=PATIENCE):
        """Reads until the text matches, or to the end."""
        deadline = time.monotonic() + seconds
        while not (wanted and re.search(wanted, self.said)):
            ready, _, _ = select.select([self.terminal], [], [], 0.1)
            if ready:
                try:
                    part = os.read(self.terminal, 65536)
                except OSError:  # The other end is closed.
                    part = b""
                if not part:
                    break
                self.said += part.decode(errors="replace")
            assert time.monotonic() < deadline, f"never said {wanted!r}: {self.said[-600:]!r}"
        if wanted:
            assert re.search(wanted, self.said), self.said[-600:]
        return self.said

    def stop(self, number=signal.SIGINT):
        assert self.process.poll() is None, "it ended before it could be stopped: " + self.said[-600:]
        self.process.send_signal(number)

    def end(self):
        """What the terminal shows in the end, line by line, and the exit status."""
        self.read()
        os.close(self.terminal)
        return shown(self.said), self.process.wait(timeout=PATIENCE)


def shown(text):
    """What stays on the screen: the cursor goes back, and lines are erased."""
    lines = [""]
    at = 0
    for part in re.findall(r"\x1b\[K|\r|\n|[^\x1b\r\n]+", text):
        if part == "\r":
            at = 0
        elif part == "\n":
            lines.append("")
            at = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:at]
        else:
            lines[-1] = lines[-1][:at] + part + lines[-1][at + len(part):]
            at += len(part)
    return "\n".join(lines)
