"""Every kind of broken offsets must be refused, by memplan's own verifier and by the checker that shares no code with it."""
import importlib.util
import random
import subprocess

import pytest

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_offsets", ROOT / "utils" / "check_offsets.py")
check_offsets = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_offsets)

HEADER = ["id", "lower", "upper", "size", "alignment", "fixed_offset", "gaps", "space", "conflicts"]
ROWS = [
    ["a", 0, 10, 64, "", "", "2-4 6-8", "", ""],
    ["b", 2, 4, 32, 32, "", "", "", ""],  # In a gap of a.
    ["c", 0, 10, 16, "", 64, "", "", ""],
    ["d", 5, 10, 48, 16, "", "", "", "b"],  # After b, but on another stream.
    ["e", 0, 10, 100, "", "", "", "host", ""],
    ["empty", 0, 10, 0, "", "", "", "", ""],
]
OFFSETS = [0, 32, 64, 80, 0, 0]
HEIGHT = 128 + 100
ALIGNMENT = 16


def table(header, rows):
    return "".join(",".join(map(str, row)) + "\n" for row in [header] + rows)


def base():
    return [row + [offset] for row, offset in zip(ROWS, OFFSETS)]


def cell(row, column, value):
    def change(rows):
        rows[row][(HEADER + ["offset"]).index(column)] = value

    return change


def cells(row, **values):
    def change(rows):
        for column, value in values.items():
            cell(row, column, value)(rows)

    return change


# name: (mutation, what memplan says, what the independent checker says)
MUTATIONS = {
    "neighbours overlap": (cell(3, "offset", 64), "share", "share bytes"),
    "overlap outside the gap": (cell(1, "upper", 5), "share", "share bytes"),
    "gap forgotten": (cell(0, "gaps", "6-8"), "share", "share bytes"),
    "same place": (cell(3, "offset", 0), "share", "share bytes"),
    "other space becomes the same": (cell(4, "space", ""), "share", "share bytes"),
    "further conflict": (cell(5, "conflicts", "c;"), "is the id of no row", "is no other buffer"),
    "conflicts that share": (cells(3, lower=6, upper=8, size=32, offset=32), "further conflict", "conflict and share"),
    "negative": (cell(3, "offset", -16), "-16", "negative offset"),
    "misaligned for all": (cell(3, "offset", 88), "88", "not aligned to 16"),
    "misaligned for itself": (cell(1, "offset", 16), "16", "not aligned to 32"),
    "not where it is fixed": (cell(2, "offset", 128), "128", "fixed at 64"),
    "beyond the capacity": (cell(3, "offset", 96), "144", "exceeds the capacity"),
    "offset missing": (cell(3, "offset", ""), "offset", "not an integer"),
    "offset not whole": (cell(3, "offset", "80.5"), "80.5", "not an integer"),
    "offset huge": (cell(3, "offset", 1 << 63), "offset", "exceeds the capacity"),
    "id twice": (cell(3, "id", "a"), "'a'", "two buffers a"),
    "life empty": (cell(3, "lower", 10), "[10, 10)", "empty life"),
    "size negative": (cell(3, "size", -48), "-48", "negative size"),
    "cell missing": (lambda rows: rows[3].pop(), "9 cells where the header has 10", "number of cells"),
}

# Offsets that hold, but for other buffers than those asked about.
ALTERATIONS = {
    "row missing": (lambda rows: rows.pop(3), "the input has 6", "not those of the input"),
    "size changed": (cell(3, "size", 32), "differs from the input", "not those of the input"),
    "life changed": (cell(3, "lower", 6), "differs from the input", "not those of the input"),
    "conflict forgotten": (cell(3, "conflicts", ""), "the conflicts differ", "not those of the input"),
    "alignment changed": (cell(1, "alignment", 16), "differs from the input", "not those of the input"),
}


def write(tmp_path, rows):
    (tmp_path / "in.csv").write_text(table(HEADER, ROWS))
    (tmp_path / "out.csv").write_text(table(HEADER + ["offset"], rows))


def run(tool, tmp_path, *options):
    options = [str(tmp_path / "out.csv"), f"--alignment={ALIGNMENT}", "--capacity=128", *options]
    command = [tool("memplan-solve"), "check-offsets", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check(tmp_path, original=None):
    return check_offsets.check(tmp_path / "out.csv", original, ALIGNMENT, 128)


def test_the_offsets_themselves_are_accepted(tool, tmp_path):
    write(tmp_path, base())
    expected = (0, f"ok buffers=6 lower_bound={HEIGHT} height={HEIGHT}\n")
    assert run(tool, tmp_path) == expected
    assert run(tool, tmp_path, f"--input={tmp_path / 'in.csv'}") == expected
    assert check(tmp_path) == check(tmp_path, tmp_path / "in.csv") == (6, HEIGHT, HEIGHT)


@pytest.mark.parametrize("name", MUTATIONS)
def test_broken_offsets_are_refused(tool, tmp_path, name):
    mutate, said, also_said = MUTATIONS[name]
    rows = base()
    mutate(rows)
    write(tmp_path, rows)
    status, output = run(tool, tmp_path)
    assert status in (1, 2), output
    assert said in output
    with pytest.raises(check_offsets.Violation, match=also_said):
        check(tmp_path)


@pytest.mark.parametrize("name", ALTERATIONS)
def test_offsets_of_other_buffers_are_refused(tool, tmp_path, name):
    mutate, said, also_said = ALTERATIONS[name]
    rows = base()
    mutate(rows)
    write(tmp_path, rows)
    assert run(tool, tmp_path)[0] == 0
    status, output = run(tool, tmp_path, f"--input={tmp_path / 'in.csv'}")
    assert status == 1 and said in output
    check(tmp_path)
    with pytest.raises(check_offsets.Violation, match=also_said):
        check(tmp_path, tmp_path / "in.csv")


def test_there_are_enough_kinds():
    assert len(MUTATIONS) >= 10


def test_strange_tables_give_one_line(tmp_path, capsys, monkeypatch):
    # A traceback tells the user nothing: whatever a table holds, the checker answers in one line.
    seed = 21
    dice = random.Random(seed)
    refused = 0
    for trial in range(1500):
        text = table(HEADER + ["offset"], base())
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text))
            piece = dice.choice(["", "\n", ",", '"', "-", "\0", "9" * 5000, "x" * 140000, "1e3", " ", "\ufeff", "\u0663", "5-", "½", "²"])
            text = text[:at] + piece + text[at + dice.randint(0, 3) :]
        (tmp_path / "t.csv").write_text(text)
        monkeypatch.setattr("sys.argv", ["check_offsets.py", str(tmp_path / "t.csv")])
        status = check_offsets.main()
        said = capsys.readouterr()
        assert status in (0, 1, 2) and len((said.out + said.err).splitlines()) == 1, (seed, trial, text[:400])
        refused += status != 0
    assert refused > 800
