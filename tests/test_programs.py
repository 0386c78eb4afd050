"""Tests what `diagnose` can be given: scripts, modules, commands, notebooks, and its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.app import App
from jaxtutor.cli import end_options_at_program
from jaxtutor.commands.diagnose import DiagnoseOptions
from jaxtutor.commands.programs import take_program
from jaxtutor.core.data.notebooks import NotebookError, read_notebook
from jaxtutor.errors import UsageError
from jaxtutor.options import Options
from jaxtutor.scripts import programs


def notebook(*cells: Any, **more: Any) -> bytes:
    """Return a notebook with these code cells."""
    made = [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]
    return json.dumps({"cells": made, "nbformat": 4, **more}).encode()


def test_cells_become_one_source() -> None:
    """Cells follow one another, and each line knows its cell."""
    read = read_notebook(notebook("import jax", ["x = 1\n", "y = 2"], "", "z = 3\n\n"))
    assert "import jax\nx = 1\ny = 2\nz = 3\n" == read.source
    assert [(1, 1), (2, 1), (2, 2), (4, 1)] == [read.locate(line) for line in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("%matplotlib inline", "pass  # %matplotlib inline"),
        ("    !pip install x", "    pass  # !pip install x"),
        ("files = !ls", "files = []  # !ls"),
        ("jnp.dot?", "pass  # jnp.dot?"),
        ("x = 7 % 3", "x = 7 % 3"),
        ("%%time", "# %%time"),
    ],
)
def test_lines_that_are_not_python_are_skipped(line: str, becomes: str) -> None:
    """Magics and shell lines are not run; everything else stays."""
    assert becomes + "\n" == read_notebook(notebook(line)).source


def test_a_line_of_spaces_is_read() -> None:
    """A line that is long costs as much as several that are short."""
    line = " " * 200_000 + "x"
    assert line + "\n" == read_notebook(notebook(line)).source


def test_a_cell_of_another_language_is_skipped() -> None:
    """A cell that `%%bash` begins is not Python."""
    read = read_notebook(notebook("%%bash\nls -l\n", "x = 1"))
    assert "# %%bash\n# ls -l\nx = 1\n" == read.source
    assert ("%%bash",) == read.skipped


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"cells": 3}',
        b"\xff\xfe",
        notebook("x", nbformat=3),
        b'{"cells": [], "metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=range(7),
)
def test_a_broken_notebook_is_a_clear_error(data: bytes, tmp_path: Path) -> None:
    """What is not a notebook is refused with the reason."""
    with pytest.raises(NotebookError):
        read_notebook(data)
    (tmp_path / "a.ipynb").write_bytes(data)
    with pytest.raises(UsageError, match="is not a notebook"):
        programs.script(tmp_path / "a.ipynb")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["diagnose", "-m", "a.b", "--json"], ["diagnose", "-m", "a.b", "--", "--json"]),
        (
            ["diagnose", "--device", "cpu", "-c", "x", "-m"],
            ["diagnose", "--device", "cpu", "-c", "x", "--", "-m"],
        ),
        (["diagnose", "x.py", "-m", "a"], ["diagnose", "x.py", "-m", "a"]),
        (["diagnose", "--", "pytest", "-m", "slow"], ["diagnose", "--", "pytest", "-m", "slow"]),
        (["check", "-m", "a"], ["check", "-m", "a"]),
    ],
)
def test_options_end_at_the_program(given: list[str], expected: list[str]) -> None:
    """What stands after `-m NAME` or `-c CODE` is for the program, as in Python."""
    assert expected == end_options_at_program(given)


def take(*words: str, **more: Any) -> tuple[App, programs.Program, DiagnoseOptions]:
    """Find the program of a command line."""
    app = App(Options())
    program, chosen = take_program(
        app, words, more.get("module"), more.get("command"), DiagnoseOptions()
    )
    return app, program, chosen


@pytest.fixture
def script(tmp_path: Path) -> str:
    """Return the path of a script."""
    (tmp_path / "train.py").write_text("print(1)\n")
    return str(tmp_path / "train.py")


def test_our_options_before_two_dashes_are_ours(script: str) -> None:
    """`diagnose train.py --json -- --steps 3` takes --json, and the script gets the rest."""
    app, program, chosen = take(script, "--json", "--once", "--timeout=9", "--", "--steps", "3")
    assert (True, True, 9.0) == (app.options.json, chosen.once, chosen.seconds)
    assert ("--steps", "3") == program.arguments


def test_other_words_before_two_dashes_are_the_scripts(script: str) -> None:
    """If one of the words is not ours, the script gets all of them, as from Python."""
    _, program, chosen = take(script, "--once", "data", "--", "x")
    assert (False, ("--once", "data", "--", "x")) == (chosen.once, program.arguments)


def test_our_option_after_the_name_is_mentioned(
    script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option of ours that the script gets is reported, unless the script knows it."""
    _, program, _ = take(script, "--json")
    assert ("--json",) == program.arguments
    assert "--json is passed to" in capsys.readouterr().err
    Path(script).write_text("parser.add_argument('--json')\n")
    take(script, "--json")
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "kind", "name", "arguments"),
    [
        (("pytest", "-x"), "module", "pytest", ("-x",)),
        (("python", "-m", "a.b", "c"), "module", "a.b", ("c",)),
        (("python3", "-c", "1", "d"), "command", "-c", ("d",)),
    ],
)
def test_a_whole_command_line_is_a_program(
    words: tuple[str, ...], kind: str, name: str, arguments: tuple[str, ...]
) -> None:
    """`-- pytest ARGS` and `-- python ARGS` run as they would without jaxtutor."""
    _, program, _ = take(*words)
    assert (kind, name, arguments) == (program.kind, program.name, program.arguments)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder is not a script; the message says how to run a package."""
    with pytest.raises(UsageError, match="is a folder"):
        programs.script(tmp_path)


def test_nothing_to_run_is_refused() -> None:
    """Without a program the command says what to give."""
    with pytest.raises(UsageError, match="no program"):
        take()
