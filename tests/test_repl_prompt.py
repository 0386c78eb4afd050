"""Tests `jaxtutor repl` as a person uses it, at a real terminal and in a pipe."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from trials.sample_lessons import make_lesson
from trials.tmux import Tmux

needs_tmux = pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;\d+)*m")
REPL = [sys.executable, "-m", "jaxtutor", "repl"]


def open_prompt(folder: Path, *options: str, **environ: str) -> Tmux:
    """Open a terminal with the prompt, with jax loaded or not."""
    terminal = Tmux(folder, 100, 30, {"INPUTRC": "/dev/null", **environ})
    try:
        terminal.type(shlex.join([*REPL, *options]))
        terminal.press("Enter")
        terminal.await_("2>")
    except BaseException:
        terminal.close()
        raise
    return terminal


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    terminal = open_prompt(tmp_path_factory.mktemp("prompt"))
    terminal.await_("cpu:0")
    yield terminal
    terminal.close()


@pytest.fixture
def prompt(shared: Tmux) -> Tmux:
    """Return a prompt on an empty screen with an empty line."""
    shared.press("C-c")
    shared.press("C-l")
    end = time.monotonic() + 20
    while not re.fullmatch(r"\d+>", shared.screen()[0].strip()) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.2)
    return shared


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[Tmux]]:
    """Close the terminals that a test opens."""
    terminals: list[Tmux] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


def enter(terminal: Tmux, *lines: str) -> None:
    for line in lines:
        terminal.type(line)
        terminal.press("Enter")


# ---------------------------------------------------------------- at a terminal


@needs_tmux
def test_keys_are_taken_before_jax_is_there(tmp_path: Path, opened: list[Tmux]) -> None:
    """A cell that is entered while jax loads runs afterwards."""
    opened.append(open_prompt(tmp_path))
    enter(opened[0], "jnp.arange(3) + 40")
    opened[0].await_("[40, 41, 42]", "3>")


@needs_tmux
def test_a_block_is_indented_and_ends_with_an_empty_line(prompt: Tmux) -> None:
    """Continuation lines are indented and numbered, and an empty line ends the block."""
    enter(prompt, "def twice(x):", "return 2 * x", "", "twice(21)")
    rows = prompt.await_("42")
    assert [r"\d+> def twice\(x\):", r"\d+\.     return 2 \* x", r"\d+\.$"] == [
        pattern
        for pattern in (r"\d+> def twice\(x\):", r"\d+\.     return 2 \* x", r"\d+\.$")
        if any(re.match(pattern, row.strip()) for row in rows)
    ]


@needs_tmux
def test_tab_completes(prompt: Tmux) -> None:
    """Tab completes a name with a single completion."""
    prompt.type("jnp.cumsu")
    prompt.press("Tab")
    prompt.await_("jnp.cumsum")


@needs_tmux
def test_a_call_is_explained_below(prompt: Tmux) -> None:
    """While a call is open, its parameters are shown in the last row."""
    prompt.type("jnp.cumsum(")
    prompt.await_("cumsum(a, axis=None")


@needs_tmux
def test_what_fails_is_diagnosed(prompt: Tmux) -> None:
    """A failing cell is diagnosed with its cause and its line number."""
    enter(prompt, "jax.jit(lambda x: 1 if x > 0 else 2)(1.0)")
    prompt.await_("TracerBoolConversionError", "Cause: traced-bool-in-ternary")


@needs_tmux
def test_control_c_stops_a_loop(prompt: Tmux) -> None:
    """Ctrl-C stops a loop and keeps the names."""
    enter(prompt, "kept = 7", "while True: pass", "")
    time.sleep(0.5)
    prompt.press("C-c")
    prompt.await_("Stopped. Names keep the values the cell gave them.")
    enter(prompt, "kept * 6")
    prompt.await_("42")


@needs_tmux
def test_control_c_between_two_entries_does_nothing(prompt: Tmux) -> None:
    """Ctrl-C while a result is being shown, when no cell runs, keeps the prompt and its names."""
    enter(prompt, "kept = 41", "")
    for _ in range(12):
        enter(prompt, "kept + 1")
        prompt.press("C-c")
    prompt.press("Enter")  # the terminal forgets what it had not delivered when C-c came
    enter(prompt, "kept + 2")
    prompt.await_("43")


@needs_tmux
def test_a_worker_that_ends_between_cells_is_reported(prompt: Tmux) -> None:
    """A worker that ends between cells is reported at the next entry, which runs in a new one."""
    enter(
        prompt, "import os, threading; threading.Timer(0.5, os._exit, [5]).start(); print('o' 'n')"
    )
    prompt.await_("\non\n")
    time.sleep(2.0)
    enter(prompt, "6 * 7")
    prompt.await_("worker process ended: it exited with status 5", "42")


@needs_tmux
def test_a_paste_is_one_cell(prompt: Tmux, tmp_path: Path) -> None:
    """Pasted lines form one cell, without the marks of other prompts."""
    text = tmp_path / "pasted"
    text.write_text(
        ">>> def thrice(x):\n...     y = 3 * x\n...     return y\n...\n>>> thrice(14)\n"
    )
    prompt._tmux("load-buffer", str(text))
    prompt._tmux("paste-buffer", "-p")
    prompt.await_("thrice(14)")
    prompt.press("Enter")
    prompt.await_("    y = 3 * x", "42")


@needs_tmux
def test_sequences_in_prints_are_shown(prompt: Tmux) -> None:
    """Escape sequences in output are shown as text."""
    enter(prompt, r"print('\x1b[2J\x1b]0;title\x07 safe')")
    prompt.await_("␛[2J␛]0;title␇ safe")


@needs_tmux
def test_vi_keys(tmp_path: Path, opened: list[Tmux]) -> None:
    """With vi keys, the status shows the mode, and commands edit the line."""
    opened.append(open_prompt(tmp_path, "--keys", "vi"))
    opened[0].await_("vi insert", "cpu:0")
    opened[0].type("41 + 2")
    opened[0].press("Escape")
    opened[0].await_("vi navigation")
    opened[0].type("r1")
    opened[0].press("Enter")
    opened[0].await_("2> 41 + 1", "42")


@needs_tmux
def test_history_outlives_a_session_and_is_searched(tmp_path: Path, opened: list[Tmux]) -> None:
    """Ctrl-D leaves, and in the next session Ctrl-R finds earlier cells."""
    opened.append(open_prompt(tmp_path))
    enter(opened[0], "remembered = 40 + 2", "other = 1")
    opened[0].await_("4>")
    opened[0].press("C-d")
    opened[0].await_("\nshell>")
    enter(opened[0], "clear", shlex.join(REPL))
    opened[0].await_("2>", "cpu:0")
    opened[0].press("C-r")
    opened[0].type("remem")
    opened[0].await_("2> remembered = 40 + 2")


@needs_tmux
def test_a_history_that_cannot_be_read_is_left_alone(tmp_path: Path, opened: list[Tmux]) -> None:
    """An unreadable history is reported and left unchanged, and the prompt works."""
    from jaxtutor.repl.history import history_file
    from jaxtutor.storage.workspace import locate

    place = history_file(locate(None, {"JAXTUTOR_HOME": str(tmp_path / "jaxtutor")}))
    place.mkdir(parents=True)
    opened.append(open_prompt(tmp_path))
    opened[0].await_("cannot be used", "It was not changed", "2>")
    assert place.is_dir()


@needs_tmux
@pytest.mark.parametrize(
    ("option", "environ"), [("--plain", {}), ("--keys=emacs", {"NO_COLOR": "1"})]
)
def test_without_colour(
    tmp_path: Path, opened: list[Tmux], option: str, environ: dict[str, str]
) -> None:
    """Without colour, neither input nor output has any, and plain mode has no toolbar."""
    opened.append(open_prompt(tmp_path, option, **environ))
    enter(opened[0], "jnp.array([1.0, jnp.nan])", "'a' if None else 2.5")
    toolbar = () if option == "--plain" else ("emacs keys", "Tab completes")  # drawn last
    rows = opened[0].await_("1 NaN, at [1]", "2.5", "4>", *toolbar)
    coloured = [row for row in opened[0].screen(colours=True) if COLOUR.search(row)]
    assert ([], option == "--plain") == (coloured, "Tab completes" not in rows[-1])


@needs_tmux
def test_leaving_gives_the_terminal_back(tmp_path: Path, opened: list[Tmux]) -> None:
    """After leaving, the shell echoes and runs the next command."""
    opened.append(open_prompt(tmp_path))
    enter(opened[0], ":quit")
    opened[0].await_("\nshell>")
    enter(opened[0], "echo ba''ck")
    opened[0].await_("\nback\nshell>")


# ---------------------------------------------------------------- in a pipe


def run(text: str, *options: str, folder: Path) -> tuple[int, str]:
    """Run the cells of a text and return the exit status and output."""
    command = [*REPL, *options]
    environ = {"JAXTUTOR_HOME": str(folder), "PYTHONPATH": str(Path(__file__).parent.parent)}
    ran = subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "JAXTUTOR_TRUST_COURSE": "yes", **environ},
    )
    assert "" == ran.stderr
    return ran.returncode, ran.stdout


def test_cells_of_a_pipe(tmp_path: Path) -> None:
    """In a pipe, each value is printed plainly, and the status is 0 if every cell ran."""
    text = "x = jnp.arange(3)\nx\nfor i in x[:2]:\n    print(i)\n\n:shape x\n# the end\n"
    expected = "int32[3]   cpu:0\n[0, 1, 2]\n0\n1\nint32[3]\n"
    assert (0, expected) == run(text, folder=tmp_path)


def test_a_cell_that_fails_gives_status_one(tmp_path: Path) -> None:
    """A failing cell gives status 1, and the cells after it still run."""
    text = "1 / 0\nx = = 1\n:nothing\nimport os; os._exit(1)\n6 * 7\nquit()\n1 / 0\n"
    status, out = run(text, folder=tmp_path)
    heads = [
        "ZeroDivisionError",
        "SyntaxError",
        "There is no command",
        "names defined here are lost",
    ]
    assert (1, heads, 1, True) == (
        status,
        [head for head in heads if head in out],
        out.count("division by zero"),
        out.endswith("42\n"),
    )


def test_lines_are_those_of_the_text(tmp_path: Path) -> None:
    """A diagnosis refers to the line of the file that was piped in."""
    _, out = run("\n\n# a note\ny = (1 +\n  missing)\n", folder=tmp_path)
    assert "→ 5    missing)" in out


def test_a_lesson_at_the_prompt(tmp_path: Path) -> None:
    """With a lesson, its names exist, `:save` keeps other code, and `:check` and `:hint` work."""
    make_lesson(tmp_path / "course" / "01_basics" / "01_double", {})
    (tmp_path / "course" / "course.toml").write_text('title = "Small"\n')
    text = "starter.double\n:hint\ndef double(x):\n    return x * 2\n:save\n:check\n"
    course = str(tmp_path / "course")
    status, out = run(text, "double", "--course", course, folder=tmp_path / "home")
    words = ["<function double", "Hint 1 of", "written to", "jaxtutor restore k1", "passed"]
    assert (0, words) == (status, [word for word in words if word in out]), out
