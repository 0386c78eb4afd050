"""Tests the command that runs the long trials: its parts, its status and its table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from trials import PARTS, Figure, __main__

HELD = Figure(promise="a | b holds", tried=3, held=3)
BROKEN = Figure(promise="c holds", tried=3, held=2, failures=("seed 7",))


def broken_off(size: float) -> Iterator[Figure]:
    yield HELD
    raise RuntimeError("no terminal")


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_found(part: str) -> None:
    """Each part that the command offers is a module with a function `run`."""
    assert callable(__main__.find(part))


@pytest.mark.parametrize(("figures", "status"), [([HELD], 0), ([HELD, BROKEN], 1), ([], 0)])
def test_the_status_says_whether_all_held(
    figures: list[Figure],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A broken promise is status 1 and is printed with what broke it."""
    monkeypatch.setattr(__main__, "find", lambda part: lambda size: figures)
    assert status == __main__.main(["store"])
    assert ("seed 7" in capsys.readouterr().out) == bool(status)


def test_an_exception_ends_its_part_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part that raises counts as broken, the next one runs, and the table has all of it."""
    runs = {"store": broken_off, "soak": lambda size: [HELD]}
    monkeypatch.setattr(__main__, "find", runs.__getitem__)
    table = tmp_path / "table.md"

    assert 1 == __main__.main(["store", "soak", "--size", "0.5", "--table", str(table)])

    assert "ended by RuntimeError: no terminal" in capsys.readouterr().out
    page = table.read_text()
    assert "| store | 0.5 | 0 |" in page
    assert "| store | a \\| b holds | 3 | 3 |" in page
    assert "| store | runs to its end: RuntimeError: no terminal | 1 | 0 |" in page
    assert "| soak | a \\| b holds | 3 | 3 |" in page


def test_a_part_that_is_run_again_replaces_its_rows_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The table keeps the figures of the other parts, and the order of all."""
    sizes = []
    figures = {"soak": [BROKEN], "store": [HELD]}

    def note(size: float, part: str) -> list[Figure]:
        sizes.append((part, size))
        return figures[part]

    monkeypatch.setattr(__main__, "find", lambda part: partial(note, part=part))
    table = ["--table", str(tmp_path / "table.md")]
    __main__.main(["soak", *table])
    __main__.main(["store", *table])
    figures["soak"] = [HELD]
    __main__.main(["soak", "--hours", "1", *table])

    page = (tmp_path / "table.md").read_text()
    first, second = page.split("| part | size")
    rows = [line.split(" | ")[0] for line in first.splitlines() if "holds" in line]
    assert ["| store", "| soak"] == rows
    assert "| soak | c holds" not in page
    assert second.index("| store | 1 |") < second.index("| soak | 0.25 |")
    assert [("soak", 1.0), ("store", 1.0), ("soak", 0.25)] == sizes


def test_an_unknown_part_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """A part that does not exist is refused, and the parts are listed."""
    with pytest.raises(SystemExit, match="2"):
        __main__.main(["nothing"])
    assert "no such part: nothing; there are hostile" in capsys.readouterr().err
