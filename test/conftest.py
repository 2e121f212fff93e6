"""Fixtures of the tests below this folder."""
from fixtures import *  # noqa: F401,F403
