"""benchmarks/data/graphs and benchmarks/generate: what figures are published on must stay what it is, and be readable."""
import json
import lzma
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
GRAPHS = sorted((ROOT / "benchmarks/data/graphs").glob("*.graph.json*"))
GENERATE = ROOT / "benchmarks/generate"


def generate(script, *arguments):
    return subprocess.run([sys.executable, GENERATE / script, *arguments], capture_output=True, text=True, check=True).stdout


def name_of(path):
    return path.name.split(".graph.json")[0]


def load(path):
    return json.loads(lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes())


def test_every_graph_is_described():
    """A figure on a graph that nobody describes means nothing; a description without its graph promises one."""
    described = (ROOT / "benchmarks/data/graphs/README.md").read_text()
    assert GRAPHS
    for path in GRAPHS:
        assert f"`{name_of(path)}`" in described and load(path)["name"] == name_of(path)


@pytest.mark.parametrize("path", GRAPHS, ids=name_of)
def test_nodes_stand_in_order(path):
    """A graph whose nodes read what is not yet made, or whose ids are not dense, is refused by every tool."""
    graph = load(path)
    made = {output for node in graph["nodes"] for output in node["outputs"]}
    there = {tensor["id"] for tensor in graph["tensors"]} - made
    for number, node in enumerate(graph["nodes"]):
        assert node["id"] == number and set(node["inputs"]) <= there, node["name"]
        there |= set(node["outputs"])
    assert [tensor["id"] for tensor in graph["tensors"]] == list(range(len(graph["tensors"]))) and len(there) == len(graph["tensors"])


@pytest.mark.parametrize("layers", ["16", "32"])
def test_chains_come_from_the_generator(layers):
    """The stored chains and the generator would otherwise drift apart, and figures on chains of other lengths with them."""
    assert generate("chain.py", layers) == (ROOT / f"benchmarks/data/graphs/chain{layers}.graph.json").read_text()


def test_unit_chain_is_the_papers():
    """Node 2n - i reads node i: with another graph, none of the tables on unit chains would hold."""
    graph = json.loads(generate("chain.py", "3", "--unit"))
    assert [node["inputs"] for node in graph["nodes"]] == [[], [0], [1], [2], [2, 3], [1, 4], [0, 5]]


def test_layered_graphs_follow_from_their_seed():
    """Random graphs in published figures must be the same everywhere; other seeds must give other graphs."""
    first, again, other = (generate("layered.py", "80", "--seed", seed) for seed in "112")
    assert first == again and first != other
    graph = json.loads(first)
    read = {tensor for node in graph["nodes"] for tensor in node["inputs"]}
    assert len(graph["nodes"]) == 80 and len(read) > 60


def test_compressed_data_is_read_as_it_is():
    """A figure on a set that is kept compressed could not be made, or a copy of it stay behind."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import shared
    path = shared.graph_path("torch_lstm_b20")
    assert json.loads(path.read_text())["name"] == "torch_lstm_b20" and shared.graph_path("torch_lstm_b20") == path
    assert shared.graph_path("chain16") == ROOT / "benchmarks/data/graphs/chain16.graph.json"
    assert [path.name for path in shared.stored("*.csv", "buffers/other")] == ["G_1.csv", "S_1.csv", "Y_1.csv", "pangu_2.6B.csv", "resnet50.csv"]
    script = f"import sys; sys.path.insert(0, {str(ROOT / 'benchmarks')!r}); import shared; print(shared.graph_path('torch_lstm_b20'))"
    left = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    assert left.endswith(".graph.json") and not pathlib.Path(left).exists()
