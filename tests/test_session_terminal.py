"""Tests the live session with real editors in a real terminal.

Most of the tests save text that is not Python: its verdict needs no worker and appears at once.
"""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from jaxtutor.system.editor import parse_editor
from trials.tmux import Tmux

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")


@dataclass(frozen=True)
class Ways:
    """How to start an editor, and the keys to press in it."""

    command: str
    begin: tuple[str, ...]  # to type at the start of the line
    save: tuple[str, ...]
    leave: tuple[str, ...]
    shows: str = "safe_clip_positive"
    environ: dict[str, str] = field(default_factory=dict)


VI = (("i",), ("Escape", ":w", "Enter"), ("Escape", ":q!", "Enter"))
EMACS = ((), ("C-x", "C-s"), ("C-x", "C-c"))
EDITORS = {
    "vim": Ways("vim -Nu NONE -n", *VI),
    "nvim": Ways("nvim --clean -n", *VI),
    "nano": Ways("nano -I", (), ("C-o", "Enter"), ("C-x",)),
    "micro": Ways("micro", (), ("C-s",), ("C-q",)),
    "emacs": Ways("emacs -nw -Q", *EMACS),
    "kak": Ways("kak -n", *VI),
}
OTHERS = {
    "vi": Ways("busybox vi", *VI),
    "vim.tiny": Ways("vim.tiny", *VI),
    "nvi": Ways("nvi", *VI),
    "vis": Ways("vis", *VI),
    "hx": Ways("hx", *VI),
    "joe": Ways("joe", (), ("C-k", "d", "Enter"), ("C-c",)),
    "mg": Ways("mg", *EMACS),
    "zile": Ways("zile -q", *EMACS),
    "jed": Ways("jed", *EMACS),
    "ne": Ways("ne", (), ("C-s",), ("C-q",)),
    "dte": Ways("dte", (), ("C-s",), ("C-q",)),
    "mcedit": Ways("mcedit", (), ("F2", "Enter"), ("F10",)),
    "le": Ways("le", (), ("F2",), ("C-x",)),
    "levee": Ways("levee", *VI),
}


def listed(editors: dict[str, Ways]) -> list[Any]:
    """Return the editors as parameters. A missing editor is skipped with a reason."""
    return [
        pytest.param(
            name,
            id=name,
            marks=[
                pytest.mark.skipif(
                    not shutil.which(ways.command.split()[0]), reason=f"{name} is not installed"
                ),
                *([pytest.mark.slow] if name != "vim" else []),
            ],
        )
        for name, ways in editors.items()
    ]


ALL = listed(EDITORS)
EVERY = listed(EDITORS | OTHERS)
LESSON = "safe-clip-positive"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Create a folder in which editors save as they do in a home directory."""
    with tempfile.TemporaryDirectory(
        dir="/var/tmp", prefix="session-", ignore_cleanup_errors=True
    ) as name:
        yield Path(name)


@pytest.fixture
def open_terminal(folder: Path) -> Iterator[Callable[..., Tmux]]:
    """Open a terminal with the given editor as the learner's."""
    terminals: list[Tmux] = []

    def open_(visual: str, columns: int = 100, rows: int = 30) -> Tmux:
        terminals.append(Tmux(folder, columns, rows, {"VISUAL": visual}))
        return terminals[-1]

    yield open_
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def edit(open_terminal: Callable[..., Tmux]) -> Callable[..., Tmux]:
    """Start a session and open the editor in it."""

    def start(name: str, columns: int = 100, rows: int = 30) -> Tmux:
        terminal = open_terminal((EDITORS | OTHERS)[name].command, columns, rows)
        terminal.start(LESSON)
        terminal.await_("Branching on values", "enter edit")
        terminal.press("Enter")
        terminal.await_("TODO", "to do", "F12 keys")  # the first verdict moves the rows
        time.sleep(0.5 if name != "emacs" else 1.5)
        return terminal

    return start


def tutor(terminal: Tmux) -> psutil.Process:
    """Return the session's process at the terminal."""
    shell = psutil.Process(int(terminal.show("#{pane_pid}")))
    return shell.children()[0]


def find_below(parent: psutil.Process, words: str) -> psutil.Process:
    """Return the first descendant of a process whose command contains the words."""
    below = parent.children(recursive=True)
    return next(it for it in below if words in " ".join(it.cmdline()))


def press(terminal: Tmux, keys: tuple[str, ...]) -> None:
    """Press keys one after the other: Esc and a key at once would be read as Alt and that key."""
    for key in keys:
        terminal.press(key)
        time.sleep(0.3 if key == "Escape" else 0)


# ---------------------------------------------------------------- editor by editor


@pytest.mark.parametrize("name", EVERY)
def test_the_verdict_stands_below_the_editor(edit: Callable[..., Tmux], name: str) -> None:
    """Typed text reaches the editor, a save is checked, and the verdict appears below it."""
    ways = (EDITORS | OTHERS)[name]
    terminal = edit(name)
    press(terminal, ways.begin)
    terminal.type("= =")
    press(terminal, ways.save)
    rows = terminal.await_("✗ SyntaxError", "cannot read line 8")

    assert any("= =" in row for row in rows[:20])
    assert "✗ SyntaxError" in rows[21]


@pytest.mark.parametrize("name", ALL)
def test_the_panel_is_reached_without_leaving(edit: Callable[..., Tmux], name: str) -> None:
    """The prefix and a key show a hint, and after Esc the keys go to the editor again."""
    ways = EDITORS[name]
    terminal = edit(name)
    terminal.press("F12", "h")
    terminal.await_("Hint ", " PANEL")
    press(terminal, ("Escape",))
    terminal.await_("F12 keys")
    press(terminal, ways.begin)
    terminal.type("hjdq")

    terminal.await_("hjdq", "Hint ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_another_size(edit: Callable[..., Tmux], name: str) -> None:
    """On a screen of any size the editor has the upper rows and the panel the lower ones."""
    terminal = edit(name)
    for columns, rows, panel in ((120, 40, 12), (70, 20, 6), (100, 30, 9)):
        terminal.resize(columns, rows)
        end = time.monotonic() + 10
        while (
            not any("TODO" in row for row in terminal.screen()[: rows - panel])
            or "F12 keys" not in (terminal.screen() + [""] * rows)[rows - panel]
        ):
            assert time.monotonic() < end, "\n".join(terminal.screen())
            time.sleep(0.1)


@pytest.mark.parametrize("name", ALL)
def test_leaving_the_editor_and_the_session(edit: Callable[..., Tmux], name: str) -> None:
    """Leaving the editor shows the lesson's page, and `q` restores the shell and its terminal."""
    terminal = edit(name)
    press(terminal, EDITORS[name].leave)
    terminal.await_("enter edit", "safe-clip-positive: TracerBoolConversionError")
    terminal.press("q")
    terminal.await_("Continue with: jaxtutor start")
    modes = "#{alternate_on}#{mouse_any_flag}#{keypad_flag}#{cursor_flag}#{insert_flag}"

    assert "00010" == terminal.show(modes)
    assert ("0", "29") == tuple(
        terminal.show(f"#{{scroll_region_{edge}}}") for edge in ("upper", "lower")
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_an_editor_that_is_killed(edit: Callable[..., Tmux], name: str) -> None:
    """A killed editor is reported, and the session continues."""
    terminal = edit(name)
    find_below(tutor(terminal), EDITORS[name].command.split()[0]).kill()

    terminal.await_("was killed by signal 9", "enter edit")


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_it_looks_like_the_bare_editor(edit: Callable[..., Tmux], folder: Path, name: str) -> None:
    """At every step, the upper rows have the text and colours of the editor by itself."""
    ways = (EDITORS | OTHERS)[name]
    steps = [(), ("Down",), ("Right", "Right"), (*ways.begin, "new é ✓"), ("Enter",)]
    terminal = edit(name, 100, 30)
    seen = [walk(terminal, step, 21) for step in steps]
    terminal.close()
    (folder / "bare").mkdir()
    # A copy, because the editor that was closed may have left a lock on the file.
    file = folder / "bare" / "01_safe_clip_positive.py"
    shutil.copy(next((folder / "jaxtutor").rglob(file.name)), file)
    bare = Tmux(folder / "bare", 100, 21, {})
    try:
        found = parse_editor(ways.command, "EDITOR", {}, shutil.which)
        bare.type(shlex.join(found.open_at(file, 8)))
        bare.press("Enter")
        bare.await_("TODO", "import jax")
        expected = [walk(bare, step, 21) for step in steps]
    finally:
        bare.close()

    assert expected == seen


def walk(terminal: Tmux, keys: tuple[str, ...], rows: int) -> list[str]:
    """Press keys and return the upper rows, with colours, once they stop changing."""
    press(terminal, keys)
    time.sleep(1.5)
    seen = [*terminal.screen(colours=True), *[""] * rows][:rows]
    # Folder names differ, even when they are shortened, and so do messages about reading.
    differing = ("safe_clip_positive.py", "/01_", "/var/tmp/", "Read")
    return [row for row in seen if not any(words in row for words in differing)]


# ---------------------------------------------------------------- stopping, ending, bad input


MODES = " ".join(
    f"#{{{name}}}"
    for name in (
        "alternate_on mouse_any_flag keypad_flag keypad_cursor_flag cursor_flag insert_flag"
        " scroll_region_upper scroll_region_lower cursor_x cursor_y"
    ).split()
)
SUSPENDS = {"vim": ("C-z",), "nvim": ("C-z",), "nano": ("C-t", "C-z"), "emacs": ("C-z",)}


def look(terminal: Tmux) -> tuple[str, list[str]]:
    """Return the terminal's modes and the rows in which an editor shows no passing message."""
    time.sleep(1)
    rows = terminal.screen()
    return terminal.show(MODES), [row for row in rows[:18] + rows[21:] if row.strip() != "~"]


def continue_(terminal: Tmux) -> None:
    """Type `fg` in the shell, and wait for the editor and the panel."""
    await_prompt(terminal)
    assert "0 0 0 0 1 0 0" == terminal.show(MODES)[:13]
    terminal.type("fg")
    terminal.press("Enter")
    terminal.await_("TODO", "F12 keys")


@pytest.mark.parametrize("name", [each for each in ALL if each.id in SUSPENDS])
def test_suspending(edit: Callable[..., Tmux], name: str) -> None:
    """An editor that suspends itself suspends the session, and `fg` restores both."""
    terminal = edit(name)
    terminal.await_("to do")
    before = look(terminal)
    for key in SUSPENDS[name]:
        time.sleep(0.3)
        terminal.press(key)
    continue_(terminal)

    assert before == look(terminal)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_being_stopped(edit: Callable[..., Tmux], name: str) -> None:
    """A stop signal suspends the session and its editor, and `fg` restores both."""
    terminal = edit(name)
    terminal.await_("to do")
    before = look(terminal)
    us = tutor(terminal)
    us.send_signal(signal.SIGTSTP)
    await_prompt(terminal)
    editor = find_below(us, EDITORS[name].command.split()[0])
    stopped = [us.status(), editor.status()]
    continue_(terminal)

    assert [psutil.STATUS_STOPPED] * 2 == stopped
    assert before == look(terminal)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_another_size_while_suspended(edit: Callable[..., Tmux]) -> None:
    """After `fg`, editor and panel have the terminal's new size."""
    terminal = edit("vim")
    terminal.press("C-z")
    await_prompt(terminal)
    terminal.resize(80, 20)
    continue_(terminal)
    time.sleep(0.5)

    assert "F12 keys" in terminal.screen()[14]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_suspending_from_an_editor_on_the_whole_screen(open_terminal: Callable[..., Tmux]) -> None:
    """An editor that uses the whole screen is suspended and continued as from a shell."""
    terminal = open_terminal("vim -Nu NONE -n", 80, 15)
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("TODO")
    terminal.press("C-z")
    await_prompt(terminal)
    terminal.type("fg")
    terminal.press("Enter")
    terminal.await_("TODO")
    tutor(terminal).terminate()

    await_prompt(terminal)


def await_prompt(terminal: Tmux) -> None:
    """Wait for the shell's prompt."""
    end = time.monotonic() + 20
    while terminal.screen()[-1].strip() != "shell>":
        assert time.monotonic() < end, "\n".join(terminal.screen())
        time.sleep(0.05)


@pytest.mark.slow
def test_suspending_from_a_page(open_terminal: Callable[..., Tmux]) -> None:
    """Ctrl-Z on a page suspends the session, and `fg` shows the page again."""
    terminal = open_terminal("true")
    terminal.start(LESSON)
    terminal.await_("enter edit", "to do")
    terminal.press("C-z")
    terminal.await_("Stopped")
    terminal.type("fg")
    terminal.press("Enter")

    terminal.await_("Branching on values", "enter edit")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end(edit: Callable[..., Tmux], number: signal.Signals) -> None:
    """A termination signal closes the editor and restores the terminal."""
    terminal = edit("vim")
    tutor(terminal).send_signal(number)
    await_prompt(terminal)
    terminal.type("echo $((40 + 2))")
    terminal.press("Enter")

    terminal.await_("42")
    assert "0" == terminal.show("#{alternate_on}")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_a_session_whose_process_dies(edit: Callable[..., Tmux]) -> None:
    """If the session's process is killed, that is reported and the terminal is restored."""
    terminal = edit("vim")
    find_below(tutor(terminal), "session.session").kill()

    terminal.await_("process ended", "jaxtutor start", "shell>")
    assert "0" == terminal.show("#{alternate_on}")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_a_long_paste(edit: Callable[..., Tmux], folder: Path) -> None:
    """A paste of half a megabyte arrives completely."""
    terminal = edit("vim")
    text = "".join(f"x{n} = {n}  # {'pasted ' * 8}\n" for n in range(6000))
    (folder / "text").write_text(text)
    terminal.press(":set paste", "Enter", "G", "o")
    terminal._tmux("load-buffer", str(folder / "text"))
    terminal._tmux("paste-buffer", "-p")
    terminal.await_("x5999")
    terminal.press("Escape", ":w", "Enter")
    terminal.await_("written")

    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    assert text in file.read_text()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_too_few_rows(open_terminal: Callable[..., Tmux]) -> None:
    """On fifteen rows the editor has all of them, and the verdict appears when it exits."""
    terminal = open_terminal("vim -Nu NONE -n", 80, 15)
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("TODO")
    time.sleep(0.5)
    terminal.press("i", "(((", "Escape", ":wq", "Enter")

    terminal.await_("SyntaxError", "was never closed")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("true", "exited at once"),
        ("false", "exited with status 1"),
        ("./nothing-here", "`./nothing-here` was not found"),
    ],
)
def test_what_is_no_editor(open_terminal: Callable[..., Tmux], command: str, says: str) -> None:
    """An editor that ends at once, fails or is missing is reported, and the session continues."""
    terminal = open_terminal(command)
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_(says, "enter edit")
    time.sleep(0.2)
    terminal.press("q")

    terminal.await_("Continue with: jaxtutor start")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nano"), reason="nano is not installed")
def test_the_prefix_is_settable(open_terminal: Callable[..., Tmux]) -> None:
    """A configured prefix is shown in the panel and works, and an invalid one is refused."""
    terminal = open_terminal("nano")
    terminal.type(f"JAXTUTOR_PREFIX=space {sys.executable} -m jaxtutor start {LESSON}")
    terminal.press("Enter")
    terminal.await_("JAXTUTOR_PREFIX is 'space'")
    terminal.type(f"JAXTUTOR_PREFIX=f9 {sys.executable} -m jaxtutor start {LESSON}")
    terminal.press("Enter")
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("F9 keys")
    terminal.press("F9", "?")

    terminal.await_("check again")


@pytest.mark.slow
def test_what_a_program_says_in_dying(open_terminal: Callable[..., Tmux], folder: Path) -> None:
    """The last output of an editor that fails before it draws is shown."""
    program = folder / "failing"
    program.write_text("#!/bin/sh\nsleep 0.3; echo no database >&2; exit 3\n")
    program.chmod(0o755)
    terminal = open_terminal(str(program))
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")

    terminal.await_("The editor `failing` exited with status 3, with the message: no database.")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_an_editor_behind_a_script(open_terminal: Callable[..., Tmux], folder: Path) -> None:
    """A script that runs an editor is suspended, continued and left like the editor itself."""
    script = folder / "edit.sh"
    script.write_text('#!/bin/sh\nvim -Nu NONE -n "$@"\n')
    script.chmod(0o755)
    terminal = open_terminal(str(script))
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("TODO", "F12 keys")
    terminal.press("C-z")
    continue_(terminal)
    terminal.press(":cq", "Enter")

    terminal.await_("exited with status 1", "enter edit")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_a_file_that_another_program_takes_away(edit: Callable[..., Tmux], folder: Path) -> None:
    """A file written by another program is checked; if it is deleted, no verdict is current."""
    terminal = edit("vim")
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    file.write_text("def safe_clip_positive(x):\n    return x(\n")
    terminal.await_("✗ SyntaxError", "cannot read line 2")
    file.unlink()
    terminal.await_("not checked", "The file does not exist.")
    terminal.press(":w!", "Enter")

    terminal.await_("✗ TracerBoolConversionError")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_the_first_save_gets_a_verdict_though_it_changes_nothing(edit: Callable[..., Tmux]) -> None:
    """Saving an unchanged starter is checked and reported, in every lesson."""
    terminal = edit("vim")
    terminal.press(":w", "Enter")
    terminal.await_("✗ TracerBoolConversionError", "→ 9 ", "its value is not known")
    terminal.press("F12", "n")
    terminal.await_("3.2 traced-axis", "Why this matters")
    terminal.press("Enter")
    terminal.await_("3.2 traced-axis", "to do")
    terminal.press(":w", "Enter")

    terminal.await_("✗ ConcretizationTypeError", "→ 10")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
@pytest.mark.parametrize("layout", ["auto", "plain"])
def test_the_window_is_closed(folder: Path, layout: str) -> None:
    """When the terminal closes, every process ends, and vim's swap file has the unsaved text."""
    terminal = Tmux(folder, 80, 24, {"VISUAL": "vim -Nu NONE"})
    terminal.start(LESSON, "--layout", layout)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("TODO")
    time.sleep(0.5)
    terminal.press("i", "unsaved")
    terminal.await_("unsaved")
    running = [tutor(terminal), *tutor(terminal).children(recursive=True)]
    terminal.close()
    _, left = psutil.wait_procs(running, timeout=20)

    assert [] == left
    assert 1 == len(list((folder / "jaxtutor").rglob(".*.swp")))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_typing_during_a_long_check(edit: Callable[..., Tmux], folder: Path) -> None:
    """During a check up to its time limit, keys reach the editor and the seconds count up."""
    terminal = edit("vim")
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    file.write_text("def safe_clip_positive(x):\n    while True:\n        pass\n")
    terminal.await_("checking 2.")
    terminal.press(":e!", "Enter", "O")
    terminal.type("# typed")

    terminal.await_("# typed", "checking ")
    terminal.await_("✗ timed out", "It was still running after 10 s")


# ---------------------------------------------------------------- a lesson from end to end


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_a_lesson_is_passed_and_the_next_opens(edit: Callable[..., Tmux]) -> None:
    """A fault is explained, its correction passes, and the running vim opens the next lesson."""
    terminal = edit("vim")
    terminal.press(":9", "Enter", "c", "c")
    terminal.type("    if x.sum() < 0:")
    terminal.press("Escape", ":w", "Enter")
    terminal.await_("✗ TracerBoolConversionError", "→ 9      if x.sum() < 0:")
    terminal.press(":9,11d", "Enter", "o")
    terminal.type("    return jnp.where(x < 0, 0, x)")
    terminal.press("Escape", ":w", "Enter")
    terminal.await_("✓ passed")
    terminal.press("F12", "n")
    terminal.await_("traced-axis", "Why this matters")
    terminal.press("Enter")

    terminal.await_("make_reducer", "traced-axis", "F12 keys")


# ---------------------------------------------------------------- the next lesson

RUNNING = ["vim", "nvim", "kak", "emacs"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [it for it in ALL if it.id in RUNNING])
def test_the_next_lesson_in_a_running_editor(open_terminal: Callable[..., Tmux], name: str) -> None:
    """An editor that accepts commands opens the next file at its TODO, ready for typing."""
    ways = EDITORS[name]
    serving = " -f server-start" if name == "emacs" else ""
    terminal = open_terminal(ways.command + serving)
    terminal.start(LESSON)
    terminal.await_("enter edit")
    terminal.press("Enter")
    terminal.await_("TODO", "F12 keys")
    time.sleep(1.5)
    terminal.press("F12", "n")
    terminal.await_("3.2 traced-axis", "Why this matters")
    terminal.press("Enter")
    terminal.await_("make_reducer", "3.2 traced-axis", "F12 keys")
    time.sleep(0.5)
    press(terminal, ways.begin)
    terminal.type("= =")
    press(terminal, ways.save)

    terminal.await_("= =", "✗ SyntaxError", "cannot read line 12")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nano"), reason="nano is not installed")
def test_the_next_lesson_after_an_editor(edit: Callable[..., Tmux]) -> None:
    """An editor that accepts no commands has to be left before the next lesson opens in it."""
    terminal = edit("nano")
    terminal.press("F12", "n")
    terminal.await_("3.2 traced-axis", "Why this matters")
    terminal.press("Enter")
    terminal.await_("Save and leave nano. It then opens traced-axis.")
    terminal.press("C-x")

    terminal.await_("make_reducer", "traced-axis", "F12 keys")


@pytest.mark.parametrize("arguments", ["", " --wait"])
def test_an_editor_in_a_window(
    open_terminal: Callable[..., Tmux], folder: Path, arguments: str
) -> None:
    """A window opens at the TODO, and with Enter for the next lesson, after its page."""
    code = folder / "code"
    waits = f"while [ ! -e {folder}/closed ]; do sleep 0.1; done"
    code.write_text(f'#!/bin/sh\necho "$*" >>{folder}/calls\n[ "$1" != --wait ] || {waits}\n')
    code.chmod(0o755)
    terminal = open_terminal(f"{code}{arguments}")
    terminal.start(LESSON)
    terminal.await_("code opens in its own window", "enter edit")
    time.sleep(1.5)
    terminal.press("n")
    terminal.await_("3.2 traced-axis", "Why this matters")
    assert 1 == len((folder / "calls").read_text().splitlines())
    terminal.press("Enter")
    terminal.await_("code has the file.")
    called = (folder / "calls").read_text().splitlines()
    names = [call.rpartition("/")[2] for call in called]
    (folder / "closed").touch()
    assert ["01_safe_clip_positive.py:8", "02_traced_axis.py:12"] == names


# ---------------------------------------------------------------- hints, a fix, the attempts

MENDABLE = """import jax.numpy as jnp
import numpy as np


def safe_clip_positive(x):
    return np.where(x < 0, 0, x)
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_a_fix_is_tried_after_the_last_hint(edit: Callable[..., Tmux], folder: Path) -> None:
    """A fix is tried in the background once the hints are used up, and is shown on request."""
    terminal = edit("vim")
    terminal.press("F12", "f")
    terminal.await_("After the last hint")
    for hint in range(1, 5):
        terminal.press("F12", "h")
        terminal.await_(f"Hint {hint} of 4")
    press(terminal, ("Escape",))
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    file.write_text(MENDABLE)
    terminal.await_(
        "✗ TracerArrayConversionError", "A verified fix was found. Press F12 f to see it."
    )
    terminal.press("F12", "h")

    terminal.await_("Verified fix: your file passes with it.", "-    return np.where(x")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_the_attempts_in_the_panel(edit: Callable[..., Tmux], folder: Path) -> None:
    """The panel lists every attempt with its age, newest first."""
    terminal = edit("vim")
    terminal.await_("to do")
    terminal.press(":9", "Enter", "O", "((", "Escape", ":w", "Enter")
    terminal.await_("✗ SyntaxError")
    terminal.press("F12", "a")
    rows = terminal.await_("2  ✗  just now  SyntaxError", "1  ✗  just now  TracerBool")

    assert "2  ✗" in rows[22]


# ---------------------------------------------------------------- the keys, the rows, the pages


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
@pytest.mark.parametrize("opens", [True, False])
def test_a_session_that_is_killed(open_terminal: Callable[..., Tmux], opens: bool) -> None:
    """After SIGKILL the terminal is restored by what is left, with and without an editor."""
    terminal = open_terminal("vim -Nu NONE -n")
    terminal.start(LESSON)
    terminal.await_("enter edit")
    if opens:
        terminal.press("Enter")
        terminal.await_("TODO", "F12 keys")
    us = tutor(terminal)
    running = [us, *us.children(recursive=True)]
    us.kill()
    _, left = psutil.wait_procs(running, timeout=20)
    end = time.monotonic() + 10
    while "0 0 0 0 1 0 0" != terminal.show(MODES)[:13]:
        assert time.monotonic() < end, terminal.show(MODES)
        time.sleep(0.1)
    terminal.type("echo $((40 + 2))")
    terminal.press("Enter")

    terminal.await_("42", "shell>")
    assert [] == left


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nano"), reason="nano is not installed")
def test_keys_that_scroll_are_not_typed(edit: Callable[..., Tmux], folder: Path) -> None:
    """Keys that scroll, and the first that does not, leave the learner's file as it was."""
    terminal = edit("nano")
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    before = file.read_text()
    terminal.press("F12", "t")
    terminal.await_("Problem", " PANEL")
    terminal.press("Down", "Down", "Space", "b", "j", "k", "G", "g", "PageDown", "End", "C-d", "x")
    terminal.await_(" PANEL")
    terminal.press("u", "#")
    terminal.await_("F12 keys", "#")
    terminal.press("C-o", "Enter")
    end = time.monotonic() + 10
    while file.read_text() == before and time.monotonic() < end:
        time.sleep(0.1)

    assert len(before) + 1 == len(file.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_panel_uses_empty_rows(edit: Callable[..., Tmux], folder: Path, name: str) -> None:
    """After a failed verdict the panel grows into empty rows; a pass gives them back."""
    terminal = edit(name, 80, 30)
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    before = find_status(terminal)
    file.write_text(FAILING)
    terminal.await_("✗ TracerBoolConversionError", "→ 2 ")
    grown = await_status(terminal, lambda row: row < before)
    file.write_text(PASSING)
    terminal.await_("✓ passed")

    assert grown <= before - 3
    assert before == await_status(terminal, lambda row: row == before)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_an_editor_that_needs_its_rows_gets_them_back(
    edit: Callable[..., Tmux], folder: Path
) -> None:
    """Rows go back when what the learner types fills the editor, even while the panel is read."""
    terminal = edit("vim", 80, 30)
    before = find_status(terminal)
    terminal.press(":w", "Enter")
    terminal.await_("✗ TracerBoolConversionError", "→ 9 ")
    await_status(terminal, lambda row: row < before)
    terminal.press("G", "o", *["more", "Enter"] * 6)

    assert before == await_status(terminal, lambda row: row == before)
    assert sum("more" in row for row in terminal.screen()[:before]) == 6


FAILING = "def safe_clip_positive(x):\n    if x[0] < 0:\n        return x\n    return x\n"
PASSING = """import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
"""


def find_status(terminal: Tmux) -> int:
    """Return the row of the status line."""
    return next(n for n, row in enumerate(terminal.screen()) if row.endswith("F12 keys"))


def await_status(terminal: Tmux, is_right: Callable[[int], bool]) -> int:
    """Wait until the status line is in the right row."""
    end = time.monotonic() + 20
    while not is_right(row := find_status(terminal)):
        assert time.monotonic() < end, "\n".join(terminal.screen())
        time.sleep(0.1)
    return row


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_the_whole_screen(edit: Callable[..., Tmux]) -> None:
    """`z` gives the panel the whole screen, and Esc gives the editor its rows and keys back."""
    terminal = edit("vim")
    terminal.press("F12", "v", "Escape")  # so that the panel borrows rows for the verdict
    terminal.await_("F12 keys")
    before = look(terminal)
    terminal.press("F12", "t", "z")
    terminal.await_(" PANEL", "Chapter 3.", "fewer rows")
    assert not any("TODO" in row for row in terminal.screen())
    terminal.press("Escape")
    terminal.await_("TODO", "F12 keys")
    terminal.press("F12", "v", "Escape")
    terminal.await_("F12 keys")

    assert before[0] == look(terminal)[0]


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_the_help_closes(edit: Callable[..., Tmux]) -> None:
    """`q`, `?` and Esc close the help, in the panel and on the page, and end nothing."""
    terminal = edit("vim")
    for key in ("q", "?"):
        terminal.press("F12", "?")
        terminal.await_("send F12")
        terminal.press(key)
        terminal.await_("Problem", " PANEL")
        press(terminal, ("Escape",))
        terminal.await_("F12 keys")
    terminal.press(":q", "Enter")
    terminal.await_("enter edit")
    for key in ("q", "?", "Escape"):
        terminal.press("?")
        terminal.await_("Ctrl-Z")
        terminal.press(key)
        terminal.await_("safe-clip-positive: TracerBoolConversionError")


@pytest.mark.slow
@pytest.mark.parametrize("name", [it for it in ALL if it.id in ("vim", "nvim", "kak", "nano")])
def test_a_reset_reaches_the_editor(edit: Callable[..., Tmux], folder: Path, name: str) -> None:
    """After a reset the editor shows the starter, or the panel says how to read it again."""
    terminal = edit(name)
    file = next((folder / "jaxtutor").rglob("*safe_clip*.py"))
    press(terminal, EDITORS[name].begin)
    terminal.type("= =")
    press(terminal, EDITORS[name].save)
    terminal.await_("= =", "✗ SyntaxError")
    terminal.press("F12", "r")
    terminal.await_("Restore the starter?")
    terminal.press("y")
    if name == "nano":
        terminal.await_("nano still shows the old text.", "The starter was restored.")
        return
    terminal.await_("The starter was restored.")
    end = time.monotonic() + 10
    while any("= =" in row for row in terminal.screen()[:20]):
        assert time.monotonic() < end, "\n".join(terminal.screen())
        time.sleep(0.1)

    assert "= =" not in file.read_text()
