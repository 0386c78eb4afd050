"""Tests standard streams that are closed, full, gone, or limited to a few characters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxtutor.system.streams import READER_GONE, find_nearest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a shell command in which `$j` is jaxtutor."""

    def run(line: str, **environ: str) -> subprocess.CompletedProcess[str]:
        inside = os.environ | {
            "j": f"{sys.executable} -m jaxtutor",
            "JAXTUTOR_HOME": str(tmp_path),
            "PYTHONPATH": str(Path(__file__).parent.parent),
        }
        return subprocess.run(
            ["bash", "-c", line],
            check=False,
            env=inside | environ,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


@pytest.mark.parametrize("command", ["list", "list --json", "--version", "list --help"])
@pytest.mark.parametrize(
    ("to", "says"), [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")]
)
def test_an_output_that_takes_nothing(run: Run, command: str, to: str, says: str) -> None:
    """An output that cannot be written is reported on standard error, and the command fails."""
    ran = run(f"$j {command} {to}")

    assert 3 == ran.returncode
    assert f"jaxtutor: Standard output cannot be written to: {says}." in ran.stderr
    assert "Traceback" not in ran.stderr


def test_nowhere_to_say_anything(run: Run) -> None:
    """With both output streams closed, the exit status still reports the failure."""
    assert 3 == run("$j list >/dev/full 2>/dev/full").returncode
    assert 3 == run("$j list >&- 2>&- <&-").returncode


def test_a_reader_that_has_had_enough(run: Run) -> None:
    """A reader that closes the pipe ends the command silently."""
    ran = run("$j list --all | head -c 0; exit ${PIPESTATUS[0]}")
    assert (READER_GONE, "") == (ran.returncode, ran.stderr)


def test_lines_end_with_their_last_word(run: Run) -> None:
    """Redirected pages have no spaces at the ends of lines."""
    page = run("$j show 3.1").stdout

    assert "Common pitfalls" in page
    assert [line for line in page.splitlines() if line.endswith(" ")] == []


@pytest.mark.parametrize(
    "command",
    [
        "list",
        pytest.param("check safe-clip-positive --json", marks=pytest.mark.slow),
        pytest.param("repl", marks=pytest.mark.slow),
    ],
)
def test_an_input_that_is_closed(run: Run, command: str) -> None:
    """With standard input closed, the command asks nothing, and no pipe gets descriptor 0."""
    ran = run(f"$j {command} <&-")
    assert ran.returncode in (0, 1)
    assert "" == ran.stderr


def test_few_letters(run: Run) -> None:
    """Characters that a stream cannot encode are replaced by ones that it can."""
    ran = run(
        "$j show safe-clip-positive", PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONCOERCECLOCALE="0"
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    assert " * x is an array of any shape" in ran.stdout
    assert ran.stdout.isascii()


@pytest.mark.slow
def test_an_input_in_another_encoding(run: Run) -> None:
    """Bytes that are not text are shown escaped and fail as a syntax error."""
    ran = run(r"printf 'print(\xff)\n' | $j repl")
    assert 1 == ran.returncode
    assert "Internal error" not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("text", "becomes"),
    [("•…→✓✗", "*...>+x"), ("é“ü”", 'e"u"'), ("日\u200b", "??"), ("½", "1/2")],
)
def test_the_nearest_letters(text: str, becomes: str) -> None:
    """A symbol becomes a similar one, a letter loses its accent, and others are escaped."""
    assert becomes == find_nearest(UnicodeEncodeError("ascii", text, 0, len(text), ""))[0]
