"""Tests how an editor is chosen, started and described, including editors in windows."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxtutor.errors import EditorError
from jaxtutor.system.editor import (
    Editor,
    NoEditor,
    describe_exit,
    editor_environment,
    find_editor,
    find_installed,
    open_beside,
    open_in_foreground,
)

WINDOWS = {"DISPLAY": ":0"}


def having(*names: str) -> Callable[[str], str | None]:
    """Return a search that finds these programs in /opt, and accepts paths unchanged."""
    return lambda name: f"/opt/{name}" if name in names else name if name in PATHS else None


PATHS = ("/my/vim",)


def find(
    environ: dict[str, str] | None = None, installed: str = "", remembered: str | None = None
) -> Editor:
    """Find an editor that exists."""
    found = find_editor(environ or {}, having(*installed.split()), remembered)
    assert isinstance(found, Editor)
    return found


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    """Write an executable shell script."""

    def write(body: str, name: str = "ed1") -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return write


# ---------------------------------------------------------------- order of choice


def test_visual_comes_first() -> None:
    """VISUAL takes precedence over EDITOR, the remembered editor and installed ones."""
    found = find({"VISUAL": "vim", "EDITOR": "nano"}, "vim nano micro kak", "kak")

    assert Editor("vim", ("/opt/vim",), "terminal", "VISUAL") == found


def test_the_setting_comes_before_the_variables() -> None:
    """What is set for jaxtutor alone comes before VISUAL and EDITOR, unless it is auto."""
    environ = {"VISUAL": "vim", "EDITOR": "nano"}
    which = having("vim", "nano", "kak")

    chosen, automatic = (find_editor(environ, which, None, it) for it in ("kak -n", "auto"))
    assert Editor("kak", ("/opt/kak", "-n"), "terminal", "the setting editor") == chosen
    assert Editor("vim", ("/opt/vim",), "terminal", "VISUAL") == automatic


def test_a_set_editor_that_is_missing_is_reported() -> None:
    """The message names the setting, and the command that changes it."""
    with pytest.raises(EditorError) as raised:
        find_editor({"EDITOR": "nano"}, having("nano"), None, "vmi")

    assert "The setting editor is set to 'vmi': `vmi` was not found." == raised.value.message
    assert "jaxtutor config set editor nano" in raised.value.remedy


def test_editor_comes_second() -> None:
    """Without VISUAL, or if it is empty, EDITOR is used."""
    found = find({"VISUAL": " ", "EDITOR": "nano"}, "vim nano kak", "kak")

    assert ("nano", "EDITOR") == (found.name, found.origin)


def test_the_remembered_editor_comes_third() -> None:
    """Without either variable, the remembered editor is used, with its arguments."""
    found = find({}, "nano kak", "kak -n")

    assert (("/opt/kak", "-n"), "remembered") == (found.command, found.origin)


def test_a_remembered_editor_that_is_gone_is_passed_over() -> None:
    """A remembered editor that was uninstalled is skipped."""
    assert find({}, "nano", "kak").origin == "found"


@pytest.mark.parametrize(
    ("installed", "expected"),
    [
        ("vi vim nano micro", "micro"),
        ("vi vim nvim nano", "nano"),
        ("vi vim emacs", "vim"),
        ("vi", "vi"),
        ("code vi", "vi"),
    ],
)
def test_what_a_newcomer_can_leave_comes_first(installed: str, expected: str) -> None:
    """Of the installed editors, the easiest to leave comes first, and none that needs a display."""
    assert expected == find({}, installed).name


def test_an_editor_with_two_names_is_found_once(tmp_path: Path) -> None:
    """A `vi` that is vim is listed once."""
    (tmp_path / "vim").touch(0o755)
    (tmp_path / "vi").symlink_to(tmp_path / "vim")
    found = find_installed({}, lambda name: shutil.which(name, path=str(tmp_path)))

    assert ["vim"] == [editor.name for editor in found]


def test_with_a_display_a_window_will_do() -> None:
    """With a display, an editor in a window may be chosen."""
    assert ("code", "windowed") == (
        (found := find(WINDOWS, "code vi")).name,
        found.kind,
    )


def test_an_editors_own_terminal_prefers_it() -> None:
    """In the terminal of an editor, that editor opens the file."""
    assert "code" == find({"TERM_PROGRAM": "vscode"}, "nano code").name


def test_no_editor_says_how_to_set_one() -> None:
    """If no editor is installed, the message says how to set one."""
    found = find_editor({}, having())

    assert isinstance(found, NoEditor)
    assert "EDITOR" in found.how


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("vim -u NONE", ["/opt/vim", "-u", "NONE"]),
        ("vim '+set nu' \"-c\" a\\ b", ["/opt/vim", "+set nu", "-c", "a b"]),
        ("  vim  ", ["/opt/vim"]),
    ],
)
def test_arguments_are_split_as_a_shell_would(command: str, expected: list[str]) -> None:
    """The variable's value is split like a shell command."""
    assert expected == list(find({"EDITOR": command}, "vim").command)


def test_a_path_is_taken_as_it_is() -> None:
    """A path to a program may contain spaces."""
    assert ("vim", "/my/vim") == ((found := find({"EDITOR": "/my/vim"})).name, found.command[0])


def test_a_tilde_is_expanded(
    monkeypatch: pytest.MonkeyPatch, script: Callable[[str], Path]
) -> None:
    """A program below the home directory is found through ~."""
    path = script("exit 0")
    monkeypatch.setenv("HOME", str(path.parent))

    found = find_editor({"EDITOR": "~/ed1 -x"})

    assert isinstance(found, Editor)
    assert (str(path), "-x") == found.command


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("nowhere-to-be-found", "`nowhere-to-be-found` was not found"),
        ("/nowhere/vim -x", "`/nowhere/vim` was not found"),
        (__file__, "is not executable"),
        ("/etc", "is not executable"),
        ("vim 'unclosed", "no closing quotation"),
        ("''", "it contains no command"),
        ("#", "`#` was not found"),
    ],
)
@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
def test_what_cannot_be_run_is_reported(command: str, words: str, variable: str) -> None:
    """A variable that names no program is reported with its name and the reason."""
    with pytest.raises(EditorError) as caught:
        find_editor({variable: command, "EDITOR": command})

    assert words in caught.value.message
    assert variable in caught.value.message
    assert variable in caught.value.remedy


@pytest.mark.parametrize(("target", "expected"), [("nano", "nano"), ("vim.basic", "vim.basic")])
def test_a_link_is_named_for_what_it_is(tmp_path: Path, target: str, expected: str) -> None:
    """A system's `editor` link is recognised as the program that it leads to."""
    (tmp_path / target).touch(0o755)
    (tmp_path / "editor").symlink_to(tmp_path / target)

    found = find_editor({"EDITOR": str(tmp_path / "editor")})

    assert isinstance(found, Editor)
    assert expected == found.name


def test_a_small_vi_gets_the_line_as_a_command(tmp_path: Path) -> None:
    """busybox's vi gets the line as a command, because it reads +N as a file name."""
    (tmp_path / "busybox").touch(0o755)
    (tmp_path / "vi").symlink_to(tmp_path / "busybox")

    found = find_editor({"EDITOR": str(tmp_path / "vi")})

    assert isinstance(found, Editor)
    assert [str(tmp_path / "vi"), "-c", "7", "/a.py"] == found.open_at(Path("/a.py"), 7)


@pytest.mark.parametrize(
    ("command", "environ", "kind"),
    [
        ("code --wait", {}, "windowed"),
        ("codium", {}, "windowed"),
        ("subl -w", {}, "windowed"),
        ("gvim -f", {}, "windowed"),
        ("vim -g", {}, "windowed"),
        ("vim", WINDOWS, "terminal"),
        ("nvim", WINDOWS, "terminal"),
        ("nano", WINDOWS, "terminal"),
        ("emacs", {}, "terminal"),
        ("emacs", WINDOWS, "windowed"),
        ("emacs", {"WAYLAND_DISPLAY": "wayland-0"}, "windowed"),
        ("emacs -nw", WINDOWS, "terminal"),
        ("emacsclient -t", WINDOWS, "terminal"),
        ("emacsclient -c", WINDOWS, "windowed"),
        ("emacsclient -c", {}, "terminal"),
        ("something-new", WINDOWS, "terminal"),
    ],
)
def test_the_kind(command: str, environ: dict[str, str], kind: str) -> None:
    """Editors that open a window are distinguished from those that need the terminal."""
    found = find({"EDITOR": command, **environ}, command.split(maxsplit=1)[0])

    assert kind == found.kind


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("vim", ["+7", "/a b.py"]),
        ("nano", ["+7", "/a b.py"]),
        ("kak", ["+7", "/a b.py"]),
        ("hx", ["/a b.py:7"]),
        ("subl", ["/a b.py:7"]),
        ("code", ["--goto", "/a b.py:7"]),
        ("pycharm", ["--line", "7", "/a b.py"]),
        ("jed", ["/a b.py", "-g", "7"]),
        ("something-new", ["/a b.py"]),
    ],
)
def test_opening_at_a_line(name: str, expected: list[str]) -> None:
    """Each editor gets the line in its own syntax, after the learner's own arguments."""
    editor = find({"EDITOR": f"{name} -x"}, name)

    assert [f"/opt/{name}", "-x", *expected] == editor.open_at(Path("/a b.py"), 7)


@pytest.mark.parametrize("line", [None, 1])
def test_opening_at_the_top(line: int | None) -> None:
    """Without a line, or at line 1, only the file is passed."""
    assert ["/opt/vim", "/a.py"] == find({"EDITOR": "vim"}, "vim").open_at(Path("/a.py"), line)


def test_a_file_is_named_absolutely(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file whose name begins like an option is not read as one."""
    monkeypatch.chdir(tmp_path)
    editor = find({"EDITOR": "vim"}, "vim")

    assert str(tmp_path / "-x.py") == editor.open_at(Path("-x.py"))[-1]


# ---------------------------------------------------------------- running


def windowed(name: str, program: Path) -> Editor:
    """Treat a program as an editor that opens a window."""
    return Editor(name, (str(program),), "windowed", "EDITOR")


def test_the_screen_size_is_left_out() -> None:
    """LINES and COLUMNS are not passed on, so that an editor asks its terminal."""
    environ = {"LINES": "50", "COLUMNS": "80", "TERM": "xterm", "LINESMAN": "x"}

    assert {"TERM": "xterm", "LINESMAN": "x"} == editor_environment(environ)


def test_without_a_terminal_the_editor_still_runs(
    script: Callable[[str], Path], tmp_path: Path
) -> None:
    """Without a terminal, the editor still runs and its exit status is returned."""
    path = script('echo "$COLUMNS$LINES $1" > out; exit 3')
    editor = Editor("ed1", (str(path),), "terminal", "EDITOR")
    handle = os.open(os.devnull, os.O_RDONLY)
    environ = {**os.environ, "COLUMNS": "7", "LINES": "7"}
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        status = open_in_foreground(editor, Path("/a.py"), None, environ, handle)
    finally:
        os.chdir(before)
        os.close(handle)

    assert (3, " /a.py\n") == (status, (tmp_path / "out").read_text())


@pytest.mark.parametrize("run", [open_in_foreground, open_beside])
def test_a_program_that_cannot_start_is_reported(
    run: Callable[[Editor, Path], object], tmp_path: Path
) -> None:
    """A script whose interpreter is missing is found but reported as failing to start."""
    path = tmp_path / "broken"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)

    with pytest.raises(EditorError, match="cannot be run"):
        run(Editor("broken", (str(path),), "windowed", "EDITOR"), Path("/a.py"))


def test_a_window_that_fails_is_reported(script: Callable[[str], Path]) -> None:
    """The failure of an editor in a window is reported with its last output."""
    editor = windowed("gvim", script("echo one >&2; echo no display >&2; exit 2"))
    beside = open_beside(editor, Path("/a.py"), 3)
    beside.process.wait()

    assert (
        "The editor `gvim` exited with status 2, with the message: no display." == beside.report()
    )
    beside.leave()


def test_a_launcher_that_ends_well_is_not_reported(script: Callable[[str], Path]) -> None:
    """A command that passes the file to an open window and exits with 0 is not a failure."""
    beside = open_beside(windowed("code", script("exit 0")), Path("/a.py"))
    beside.process.wait()

    assert beside.report() is None
    beside.leave()


def test_a_window_is_apart(script: Callable[[str], Path]) -> None:
    """An editor in a window has its own session and keeps running after jaxtutor ends."""
    beside = open_beside(windowed("gvim", script("exec sleep 60")), Path("/a.py"))
    pid = beside.process.pid
    try:
        assert pid == os.getsid(pid)
        assert beside.report() is None
        beside.leave()
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


@pytest.mark.parametrize(
    ("status", "seconds", "expected"),
    [
        (0, 60.0, None),
        (0, 0.01, "The editor `ed` exited at once. Is it an editor?"),
        (1, 60.0, "The editor `ed` exited with status 1."),
        (-9, 60.0, "The editor `ed` was killed by signal 9."),
    ],
)
def test_describing_an_exit(status: int, seconds: float, expected: str | None) -> None:
    """The end of an editor is described in one line."""
    assert expected == describe_exit(Editor("ed", ("ed",), "terminal", "found"), status, seconds)
