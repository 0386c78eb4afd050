"""Tests the command that runs the long trials: its parts, its status, its shards and its page."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from trials import PARTS, SHARDED, Figure, Share, __main__, page
from trials.store.learner import Held, Ran

HELD = Figure(promise="a | b holds", tried=3, held=3)
BROKEN = Figure(promise="c holds", tried=3, held=2, failures=("seed 7",))


def broken_off(share: Share) -> Iterator[Figure]:
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
    monkeypatch.setattr(__main__, "find", lambda part: lambda share: figures)
    assert status == __main__.main(["store"])
    assert ("seed 7" in capsys.readouterr().out) == bool(status)


def test_an_exception_ends_its_part_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part that raises counts as broken, the next one runs, and the table has all of it."""
    runs = {"store": broken_off, "soak": lambda share: [HELD]}
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

    def note(share: Share, part: str) -> list[Figure]:
        sizes.append((part, share.size))
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


# ---------------------------------------------------------------- shards


@dataclass(frozen=True)
class Noted(Share):
    """A share that notes its trials and hands out none, so that nothing is run."""

    noted: list[list[Any]] = field(default_factory=list)

    def split(self, trials: Sequence[Any]) -> Sequence[Any]:
        self.noted.append([*super().split(trials)])
        return []


def in_this_process(
    module: str, trial: str, share: Share, seed: int, faulty: bool = False
) -> Iterator[Figure]:
    """Run a trial of the store as `apart.run_apart` does, without a process."""
    del faulty
    yield from getattr(importlib.import_module(f"trials.store.{module}"), trial)(share, seed)


@pytest.fixture
def without_homes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare nothing for the trials of the store, whose homes take most of the time."""

    def furnish(home: Path) -> None:
        (home / "data").mkdir(parents=True)

    monkeypatch.setattr("trials.store.apart.run_apart", in_this_process)
    monkeypatch.setattr("trials.store.learner.furnish", furnish)
    nothing = Held({"attempt": frozenset()}, frozenset(), {})
    monkeypatch.setattr("trials.store.learner.look", lambda home: nothing)
    monkeypatch.setattr("trials.store.learner.carry_out", lambda *_: Ran(0, "", ""))
    monkeypatch.setattr("trials.store.damage.furnish", furnish)
    monkeypatch.setattr("trials.store.rooms.small_disk", nullcontext)


def note_trials(part: str, share: Share) -> list[list[str]]:
    """Return the lists of trials of a share of a part. Fail if others would run as well."""
    noted = Noted(share.size, share.shard, share.shards)
    figures = [*__main__.find(part)(noted)]
    assert [] == [it.promise for it in figures if it.tried]
    return [[repr(trial) for trial in trials] for trials in noted.noted]


@pytest.mark.parametrize("part", SHARDED)
@pytest.mark.parametrize(("size", "shards"), [(1.0, 8), (0.3, 3)])
@pytest.mark.usefixtures("without_homes")
def test_the_shards_of_a_part_are_all_of_it(part: str, size: float, shards: int) -> None:
    """No trial is in two shards, all are in one, and nothing else is run."""
    whole = note_trials(part, Share(size))
    split = [note_trials(part, Share(size, n, shards)) for n in range(1, shards + 1)]

    assert all(whole)
    for index, trials in enumerate(whole):
        assert sorted(trials) == sorted(trial for lists in split for trial in lists[index])
        assert len(trials) == len({*trials})


def test_a_size_counts_trials() -> None:
    """A size is the number of trials that are taken from a list, at even distances."""
    assert [*range(10)] == [*Share().of(range(10))]
    assert [0, 3, 6] == [*Share(0.3).of(range(10))]
    assert [0] == [*Share(0.01).of(range(10))]
    assert [*range(10)] == [*Share(2.0).of(range(10))]
    assert [] == [*Share().of(())]


def test_the_numbers_of_a_size_are_those_of_its_shards() -> None:
    """Random trials are numbered, and a shard takes every N-th number."""
    assert [1, 4] == [*Share(0.05, 2, 3).numbers(100)]
    assert [] == [*Share(0.02, 3, 3).numbers(100)]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["soak", "--shard", "1/8"],
            "no shards of soak: only hostile, values, cheats, forgeries, store",
        ),
        (["--shard", "1/8"], "no shards of courses, fuzz"),
        (["store", "--shard", "9/8"], "'9/8': the first number must be from 1 to 8"),
        (["store", "--shard", "0/8"], "'0/8': the first number must be from 1 to 8"),
        (["store", "--shard", "0/0"], "'0/0': the first number must be from 1 to 0"),
        (["store", "--shard", "8"], "'8' is not of the form K/N"),
        (["store", "--shard=-1/8"], "'-1/8' is not of the form K/N"),
    ],
)
def test_a_shard_that_does_not_exist_is_a_usage_error(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part without shards, and a number that is none, are refused before anything runs."""
    with pytest.raises(SystemExit, match="2"):
        __main__.main(words)
    assert says in capsys.readouterr().err


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the page to which shards are added."""
    monkeypatch.setattr(__main__, "PAGE", tmp_path / "trials.md")
    return tmp_path / "trials.md"


def run_shard(
    monkeypatch: pytest.MonkeyPatch, figures: Sequence[Figure], *words: str, commit: str = "abc1234"
) -> None:
    """Run `./dev trials` with a part that yields these figures."""
    monkeypatch.setenv("TRIALS_COMMIT", commit)
    monkeypatch.setattr(__main__, "find", lambda part: lambda share: iter(figures))
    __main__.main([*words])


def rows(path: Path, head: str) -> list[list[str]]:
    """Return the cells of a table, without those that depend on the day and the machine."""
    kept = {page.TOTALS: (0, 1, 2, 3, 4, 6), page.SHARDS: (0, 1, 2, 3, 4, 7, 11)}[head]
    found = [page.cells(row) for row in page.read_tables(path)[head]]
    return [[row[index] for index in kept] for row in found]


def test_a_shard_adds_a_row(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of a shard is kept, also one of the same shard, and the newest one counts."""
    run_shard(monkeypatch, [HELD], "store", "--table", str(kept))
    run_shard(monkeypatch, [HELD, BROKEN], "store", "--shard", "1/8", "--size", "0.3")
    run_shard(monkeypatch, [HELD], "store", "--shard", "2/8", "--size", "0.3")
    run_shard(monkeypatch, [HELD], "cheats", "--shard", "1/2")
    run_shard(monkeypatch, [HELD], "store", "--shard", "1/8", "--size", "0.3", commit="def5678")

    assert [
        ["cheats", "1", "1/2", "3", "3", "abc1234", "all held"],
        ["store", "0.3", "1/8", "6", "5", "abc1234", "broken: c holds"],
        ["store", "0.3", "2/8", "3", "3", "abc1234", "all held"],
        ["store", "0.3", "1/8", "3", "3", "def5678", "all held"],
    ] == rows(kept, page.SHARDS)
    assert [
        ["cheats", "0.5", "1 of 2 of size 1", "3", "3", "abc1234"],
        ["store", "0.075", "2 of 8 of size 0.3", "6", "6", "def5678, abc1234"],
    ] == rows(kept, page.TOTALS)
    assert "| store | a \\| b holds | 3 | 3 |" in kept.read_text()


def test_a_page_has_no_empty_table(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with nothing but shards has only their tables."""
    run_shard(monkeypatch, [HELD], "store", "--shard", "1/2")

    assert [page.TOTALS, page.SHARDS] == [*page.read_tables(kept)]
    assert page.FIGURES not in kept.read_text()


def test_runs_that_may_overlap_are_not_added_up(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two numbers of shards, the one that covers more counts."""
    for shard in ("1/4", "1/8", "2/8", "3/8"):
        run_shard(monkeypatch, [HELD], "values", "--shard", shard)

    assert [["values", "0.375", "3 of 8 of size 1", "9", "9", "abc1234"]] == rows(kept, page.TOTALS)


def test_an_incomplete_shard_does_not_count(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard that an exception ended, or that lacked something, is named and covers nothing."""
    missing = Figure(promise="d holds", tried=0, held=0, not_tried="no C compiler")
    nothing = Figure(promise="e holds", tried=0, held=0)
    run_shard(monkeypatch, [HELD, missing, nothing], "store", "--shard", "1/2")
    run_shard(monkeypatch, [HELD], "store", "--shard", "2/2")
    monkeypatch.setattr(__main__, "find", lambda part: broken_off)
    __main__.main(["store", "--shard", "2/2"])

    assert [
        "incomplete: d holds: no C compiler",
        "all held",
        "incomplete: RuntimeError: no terminal",
    ] == [row[-1] for row in rows(kept, page.SHARDS)]
    assert [["store", "0", "0 of 2 of size 1", "6", "6", "abc1234"]] == rows(kept, page.TOTALS)


def test_a_commit_with_changes_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page itself may change while shards run; any other change is marked with a plus sign."""
    monkeypatch.delenv("TRIALS_COMMIT", raising=False)
    monkeypatch.setattr(page, "__file__", str(tmp_path / "trials" / "page.py"))
    assert "unknown" == page.find_commit()

    for name in ("trials/page.py", "docs/trials.md"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    commit = page.find_commit()
    (tmp_path / "docs" / "trials.md").write_text("2")
    assert commit == page.find_commit() != "unknown"
    (tmp_path / "trials" / "page.py").write_text("2")
    assert commit + "+" == page.find_commit()
