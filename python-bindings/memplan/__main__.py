"""`python -m memplan` is the console script `memplan`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
