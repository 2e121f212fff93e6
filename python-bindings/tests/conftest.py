"""Fixtures of the tests below this folder: those of test/."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "test"))
from fixtures import *  # noqa: E402,F401,F403
