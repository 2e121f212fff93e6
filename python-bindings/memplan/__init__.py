"""memplan plans the memory of training steps.

`memplan.export` turns PyTorch modules into memplan programs; importing `memplan` itself imports no framework.
"""
