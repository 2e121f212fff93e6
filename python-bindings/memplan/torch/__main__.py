"""python -m memplan.torch doctor SCRIPT [ARGUMENTS]: what a training script needs, before anything runs."""

import sys

from .doctor import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
