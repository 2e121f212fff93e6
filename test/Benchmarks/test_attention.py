"""benchmarks/models/attention.py: what lives at the loss in any order."""
import sys

from fixtures import ROOT

sys.path[:0] = [str(ROOT / "benchmarks" / folder) for folder in ("", "models")]
import attention  # noqa: E402


def tensor(number, size, kind="activation", **more):
    return {"id": number, "bytes": size, "kind": kind, **more}


# A value counts where it crosses the loss, once, whichever view of it is read; what the loss alone reads, or only the backward pass has, does not.
def test_bytes_held_at_the_loss():
    tensors = [tensor(0, 1000, "parameter"), tensor(1, 100, "input"), tensor(2, 10), tensor(3, 10, view_of=2), tensor(4, 10, view_of=2), tensor(5, 7),
               tensor(6, 4, "output"), tensor(7, 5, "gradient"), tensor(8, 1000, "gradient"), tensor(9, 3)]
    nodes = [{"id": 0, "name": "memplan.matmul", "inputs": [1, 0], "outputs": [2]},
             {"id": 1, "name": "memplan.reshape", "inputs": [2], "outputs": [3]},
             {"id": 2, "name": "memplan.relu", "inputs": [3], "outputs": [5, 9]},
             {"id": 3, "name": "memplan.cross_entropy", "inputs": [5], "outputs": [6]},
             {"id": 4, "name": "memplan.cross_entropy_grad", "inputs": [9, 6], "outputs": [7]},
             {"id": 5, "name": "memplan.reshape", "inputs": [2], "outputs": [4]},
             {"id": 6, "name": "memplan.matmul", "inputs": [7, 4], "outputs": [8]}]
    # 10 bytes through a view that is made after the loss, 3 of the second result of the ReLU, and the loss itself.
    assert attention.bytes_held_at_the_loss({"tensors": tensors, "nodes": nodes}) == 1100 + 10 + 3 + 4
