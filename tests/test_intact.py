"""Tests what a submission replaces, and what it opens."""

from __future__ import annotations

import builtins
import os
import py_compile
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker import checks, stages, subject, values
from jaxtutor.worker.solution_audit import SolutionAudit
from jaxtutor.worker.tamper_check import OriginalNames


@pytest.fixture
def intact() -> Iterator[OriginalNames]:
    """Keep everything; what a test replaces is back after it."""
    kept = OriginalNames()
    yield kept
    kept.restore()


def test_nothing_is_found_where_nothing_was_replaced(intact: OriginalNames) -> None:
    """Using jax, adding names and changing settings replaces nothing."""
    jax.jit(lambda x: x + 1)(jnp.ones(3))
    vars(jnp)["_kept_for_a_test"] = 1

    assert () == intact.restore()


PLACES: list[tuple[Any, str, str]] = [
    (builtins, "len", "builtins.len"),
    (time, "monotonic", "time.monotonic"),
    (jax, "jit", "jax.jit"),
    (jnp, "where", "jax.numpy.where"),
    (os, "write", "os.write"),
    (checks, "count_traces", "jaxtutor.worker.checks.count_traces"),
    (subject.TestedFunction, "call", "jaxtutor.worker.subject.TestedFunction.call"),
    (jax.core.Tracer, "item", "jax.core.Tracer.item"),
    (type(jnp.zeros(0)), "__eq__", "jax.Array.__eq__"),
]


@pytest.mark.parametrize(("owner", "name", "reported"), PLACES, ids=[it[-1] for it in PLACES])
def test_what_was_replaced_is_named_and_put_back(
    intact: OriginalNames, owner: Any, name: str, reported: str
) -> None:
    """Of Python, of JAX, of its arrays, and of ours: once, and then all is as before."""
    before = getattr(owner, name)
    setattr(owner, name, None)
    found = intact.restore()

    assert (reported,) == found
    assert before == getattr(owner, name)
    assert () == intact.restore()


def another(*_: object) -> int:
    return 0


def test_changed_code_of_ours_is_named_and_put_back(intact: OriginalNames) -> None:
    """A function that stays the same object with other code, or other defaults, is found."""
    code, defaults = checks.count_traces.__code__, subject.TestedFunction.call.__defaults__
    checks.count_traces.__code__ = another.__code__
    subject.TestedFunction.call.__defaults__ = (None,)
    found = intact.restore()

    assert {
        "jaxtutor.worker.checks.count_traces",
        "jaxtutor.worker.subject.TestedFunction.call",
    } == set(found)
    assert code is checks.count_traces.__code__
    assert defaults is subject.TestedFunction.call.__defaults__


def test_a_private_method_of_ours_is_guarded(
    intact: OriginalNames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To measure another function than the submission's, one private method is enough."""
    monkeypatch.setattr(stages.Check, "_find_function", another)

    assert ("jaxtutor.worker.stages.Check._find_function",) == intact.restore()


def test_an_object_that_is_guarded_keeps_its_attributes(intact: OriginalNames) -> None:
    """What reports to the tutor is not replaced on the object either."""
    owner = Hostile()
    owner.send = another  # type: ignore[attr-defined]
    intact.guard("it", owner)
    owner.send = None  # type: ignore[attr-defined]
    found = intact.restore()

    assert ("it.send",) == found
    assert another is owner.send  # type: ignore[attr-defined]


def test_a_module_that_was_taken_away_is_back(intact: OriginalNames) -> None:
    """What stands for it in `sys.modules` is what is imported next."""
    kept = sys.modules["jax"]
    sys.modules["jax"] = None  # type: ignore[assignment]
    found = intact.restore()

    assert ("sys.modules['jax']",) == found
    assert kept is sys.modules["jax"]


def test_all_builtins_at_once_are_put_back(intact: OriginalNames) -> None:
    """Looking and putting back asks nothing of them."""
    space = vars(builtins)
    before = space.copy()
    try:
        space.clear()
        found = intact.restore()
    finally:
        space.update(before)

    assert "builtins.len" in found
    assert len(before) == len([name for name in found if name.startswith("builtins.")]) + len(
        [name for name in before if name[:1] == "_" and name[:2] != "__"]
    )


class Hostile:
    """Raises when it is compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("incomparable")

    __hash__ = None  # type: ignore[assignment]


def test_what_replaces_is_not_asked(intact: OriginalNames) -> None:
    """An object that raises when compared is found by what it is."""
    jax.jit = Hostile()  # type: ignore[assignment]

    assert ("jax.jit",) == intact.restore()


# ---------------------------------------------------------------- the solution


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """Make a lesson's folder, and another solution beside it."""
    for folder in (tmp_path / "lesson", tmp_path / "other"):
        folder.mkdir()
        (folder / "solution.py").write_text("x = 1\n")
        (folder / "checks.py").write_text("x = 1\n")
    return tmp_path / "lesson"


def test_who_opens_the_solution_is_seen(lesson: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path, by a relative one, by bytes, and below Python's `open`."""
    monkeypatch.chdir(lesson)
    link = lesson.parent / "link"
    link.symlink_to(lesson)
    for name in (
        str(lesson / "solution.py"),
        "solution.py",
        b"./solution.py",
        link / "solution.py",
    ):
        peeking = SolutionAudit(str(lesson))
        os.close(os.open(name, os.O_RDONLY))

        assert peeking.seen


def test_other_ways_to_the_answers_are_seen(lesson: Path) -> None:
    """By bytecode, a link, a descriptor's folder, another process, and in the folder also/."""
    (lesson / "also").mkdir()
    (lesson / "also" / "other.py").write_text("x = 1\n")
    bytecode = str(py_compile.compile(str(lesson / "solution.py")))
    (lesson.parent / "notes").symlink_to(lesson / "solution.py")
    (lesson.parent / "program").symlink_to("/bin/cat")
    above = os.open(lesson.parent, os.O_RDONLY)
    descriptor = os.open(lesson / "solution.py", os.O_RDONLY)

    def relative() -> None:
        folder = os.open(lesson.parent, os.O_RDONLY)
        os.close(os.open("lesson/solution.py", os.O_RDONLY, dir_fd=folder))
        os.close(folder)

    ways: dict[str, Callable[[], object]] = {
        "bytecode": lambda: Path(bytecode).read_bytes(),
        "link": (lesson.parent / "notes").read_bytes,
        "descriptor": lambda: Path(f"/proc/self/fd/{descriptor}").read_bytes(),
        "folder": relative,
        "also": (lesson / "also" / "other.py").read_bytes,
        "hard link": lambda: (lesson.parent / "hard").hardlink_to(lesson / "solution.py"),
        "process": lambda: subprocess.run(["cat", lesson / "solution.py"], check=True),
        "shell": lambda: os.system(f"cat {lesson}/solution.py"),
        "spawn": lambda: os.waitpid(
            os.posix_spawn("/bin/cat", ["cat", str(lesson.parent / "notes")], {}), 0
        ),
    }
    missed = []
    for name, way in ways.items():
        peeking = SolutionAudit(str(lesson))
        way()
        if not peeking.seen:
            missed.append(name)
    os.close(above)
    os.close(descriptor)

    assert [] == missed


def test_other_files_are_anybodys(lesson: Path) -> None:
    """The lesson's checks, another lesson's solution, and the submission's own file."""
    peeking = SolutionAudit(str(lesson), str(lesson / "mine.py"))
    (lesson / "checks.py").read_text()
    (lesson.parent / "other" / "solution.py").read_text()
    subprocess.run(["cat", lesson / "checks.py"], check=True, stdout=subprocess.DEVNULL)
    (lesson / "mine.py").write_text("x = 1\n")
    (lesson / "mine.py").read_text()
    with open(os.open(lesson / "checks.py", os.O_RDONLY)) as file:  # noqa: PTH123 - a descriptor
        file.read()

    assert not peeking.seen


# ---------------------------------------------------------------- text that lies


class Lying(str):
    """Says wrong things of itself."""

    def __len__(self) -> int:
        return -1  # noqa: PLE0303 - that is the lie

    def __getitem__(self, item: object) -> str:
        raise RuntimeError("no parts")

    def __str__(self) -> str:
        return self


def test_text_of_a_class_that_lies_is_copied() -> None:
    """The result is plain text."""
    assert (str, "a lie") == (type(values.plain(Lying("a lie"))), values.plain(Lying("a lie")))


class Odd:
    """An object whose representation is given."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown

    def __repr__(self) -> Any:
        if isinstance(self.shown, BaseException):
            raise self.shown
        return self.shown


SHOWN = (Lying("a lie"), ValueError(), SystemExit(), "x" * 10**6, 7)


@pytest.mark.parametrize("shown", SHOWN, ids=("lying", "error", "exit", "long", "number"))
def test_a_value_that_cannot_be_written_is_described(shown: Any) -> None:
    """In text of a bounded length, whatever its `__repr__` does."""
    ((leaf,),) = [values.to_tree(Odd(shown)).leaves]

    assert leaf.value.kind == "Odd"  # type: ignore[union-attr]
    assert 0 < len(leaf.value.text) <= 200  # type: ignore[union-attr]


class Key(str):
    """A key of a dictionary that cannot be written."""

    def __repr__(self) -> str:
        raise SystemExit(0)


def test_a_tree_that_cannot_be_taken_apart_is_one_leaf() -> None:
    """The class of the whole is reported."""
    tree = values.to_tree({Key("a"): 1.0})

    assert ("*", ["dict"]) == (tree.structure, [leaf.value.kind for leaf in tree.leaves])  # type: ignore[union-attr]
