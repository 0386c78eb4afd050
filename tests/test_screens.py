"""Tests that every command's output fits the terminal, and that `--plain` suits screen readers."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import command_tree
from jaxtutor.cli import run
from jaxtutor.storage.store import Store
from sampling import sampled
from trials.built_in import learner_file
from trials.sample_lessons import INFO, make_lesson

RAISING = """\
import jax
import jax.numpy as jnp


@jax.jit
def double(a_rather_long_name_of_an_argument, another_name_that_is_no_shorter=0.0):
    if (a_rather_long_name_of_an_argument + another_name_that_is_no_shorter).sum() > jnp.sin(1.0):
        return 2 * a_rather_long_name_of_an_argument
    return a_rather_long_name_of_an_argument


double(jnp.ones(2))
"""
QUESTION = """
[[predict]]
asks = "count"
of = "a_function_with_a_name_that_is_longer_than_most"
code = \"\"\"
@jax.jit
def a_function_with_a_name_that_is_longer_than_most(x):
    return x + 1.0


a_function_with_a_name_that_is_longer_than_most(2.0)
\"\"\"
answer = "1"
why = "It is called once, and a function is never traced more often than it is called. Is it?"
"""

QUICK = (
    "list",
    "list --all",
    "list --todo",
    "search vmap axis",
    "config list",
    "config get layout",
    "config set layout rows",
    "config unset layout",
    "config path",
    "stats",
    "history safe-clip-positive",
    "show safe-clip-positive",
    "show traced-axis",
    "hint safe-clip-positive --all",
    "solution short",
    "diff safe-clip-positive",
    "diff safe-clip-positive --against solution",
    "reset traced-axis",
    "restore 1 safe-clip-positive",
    "review",
    "review safe-clip-positive",
    "predict asks",
    "next",
    "prev",
    "start asks",
    "explain",
    "explain traced-bool-in-if",
    "explain TracerBoolConversionError",
    "course list",
    "course add nowhere",
    "course update nowhere",
    "course remove nowhere",
    "lesson new 01_new/01_lesson",
    "schema",
)
"""Commands that start no worker, on the course that comes with jaxtutor or on a small one."""

WITH_WORKER = (
    "check asks",
    "diff --jaxpr asks",
    "predict asks --answer 3",
    "devices",
    "doctor",
    "diagnose script.py",
    "grade folder --confine never",
    "lesson test asks",
)

ELSEWHERE = {
    "docs": "it prints an address, which is never wrapped, and has tests of its own",
    "repl": "it draws at a prompt, and has tests of its own",
    "drill": "it shows programs, which are never wrapped, and has tests of its own",
    "lint": "its sentences are those of the causes, and it has tests of its own",
    "lsp": "it talks to an editor, and has tests of its own",
}

SIGNS = re.compile(r"[\u2190-\u21ff\u2500-\u25ff\u2700-\u27bf\u2022\u00b7\x1b]")
"""Arrows, box drawing, blocks, shapes, check marks, bullets and escape sequences."""


SHORT = '"""It."""\n\n\ndef double(x):\n    return 2 * x\n'
"""A solution of short lines. Code is never wrapped, because it may be redirected to a file."""


def test_every_command_is_looked_at() -> None:
    """Every command is tested here, or named with the reason why not."""
    shown = [*QUICK, *WITH_WORKER]
    missing = {
        name
        for name in command_tree.commands()
        if name not in ELSEWHERE and not any(f"{it} ".startswith(f"{name} ") for it in shown)
    }
    assert set() == missing


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a history, a small course, a script, and submissions."""
    folder = tmp_path / "home"
    monkeypatch.setenv("JAXTUTOR_HOME", str(folder))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    monkeypatch.setenv("EDITOR", "sh")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    make_lesson(tmp_path / "course" / "01_basics" / "01_asks", {"lesson.toml": INFO + QUESTION})
    make_lesson(tmp_path / "course" / "01_basics" / "02_short", {"solution.py": SHORT})
    (tmp_path / "script.py").write_text(RAISING)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a_learner_with_a_long_name_asks.py").write_text(RAISING)
    for place in (learner_file("safe-clip-positive"), "01_basics/01_asks.py"):
        mine = folder / "workspace" / place
        mine.parent.mkdir(parents=True)
        mine.write_text(RAISING)
    remember(folder / "data" / "progress.sqlite3")
    return tmp_path


def remember(path: Path) -> None:
    """Record attempts of every kind."""
    with Store(path, "jaxtutor", now, print) as store:
        for status in ("failed", "raised", "timed_out", "crashed", "passed", "lesson_at_fault"):
            store.record_attempt(
                "safe-clip-positive",
                source=RAISING.replace("2", str(len(status))),
                status=status,
                verdict='{"diagnosis": {"cause": "traced-bool-in-builtin-minmax"}}',
                device="cpu:0",
                jax="0.12.0",
                python="3.13.0",
                seconds=0.1,
                starter="s",
            )
        store.keep_source(
            "safe-clip-positive", RAISING.encode(), "before a reason that takes its time"
        )


def now() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def say(home: Path, capsys: pytest.CaptureFixture[str], line: str, *more: str) -> str:
    """Run a command and return its output."""
    name, *rest = line.split()
    words = [name, *more, *rest] if name == "diagnose" else [name, *rest, *more]
    if line == "lesson new 01_new/01_lesson":
        words = line.split()
    elif {"asks", "short"} & {*words} or name == "grade":
        words += ["--course", str(home / "course")]
    run(words)
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert "Internal error" not in printed.err
    return printed.out + printed.err


def too_long(text: str, width: int) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line) > width]


@pytest.mark.parametrize("width", [40, 80, 250])
@pytest.mark.parametrize("line", QUICK)
def test_it_fits(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    width: int,
) -> None:
    """No line is wider than the terminal, except code printed to a pipe."""
    monkeypatch.setenv("COLUMNS", str(width))
    assert [] == [it for it in too_long(say(home, capsys, line), width) if str(home) not in it]


@pytest.mark.parametrize("line", QUICK)
def test_it_can_be_read_aloud(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Plain output has no drawing, marks or colour, even if colour is forced."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    text = say(home, capsys, line, "--plain")

    assert [] == SIGNS.findall(text)
    assert [] == [it for it in too_long(text, 40) if str(home) not in it]


@pytest.mark.parametrize("more", [(), ("--plain",)], ids=["narrow", "plain"])
@pytest.mark.parametrize("line", sampled(WITH_WORKER, 3))
def test_a_verdict_fits(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    more: tuple[str, ...],
) -> None:
    """The output of commands that run code fits 40 columns, also in plain mode."""
    monkeypatch.setenv("COLUMNS", "40")
    text = say(home, capsys, line, *more)

    assert [] == [it for it in too_long(text, 40) if str(home) not in it]
    assert [] == SIGNS.findall(text) or not more


@pytest.mark.parametrize("width", [40, 80, 250])
@pytest.mark.parametrize("name", ["", *command_tree.commands()])
def test_help_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, width: int
) -> None:
    """The help of every command fits the terminal width."""
    monkeypatch.setenv("COLUMNS", str(width))
    assert 0 == run([*name.split(), "--help"])
    assert [] == too_long(capsys.readouterr().out, width)


def test_what_is_too_long_is_found() -> None:
    """A line that is too long is found, so that the tests above can fail."""
    assert ["abc", "\u65e5\u672c"] == too_long("ab\nabc\n\u65e5\u672c", 2)
    assert ["\u2500", "\x1b"] == SIGNS.findall("a\u2500b\x1b[1m - + . \u201cquoted\u201d \u2026")
