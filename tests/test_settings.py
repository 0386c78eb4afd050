"""Tests the settings: which value is in force, and the errors of a broken file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.app import App
from jaxtutor.cli import run
from jaxtutor.core.data.settings import (
    BY_NAME,
    DEFAULT,
    FILE,
    LAYOUTS,
    SETTINGS,
    Chosen,
    Refused,
    choose,
    find_line,
    read_table,
)
from jaxtutor.core.terminal.keys import parse_prefix
from jaxtutor.errors import ConfigError
from jaxtutor.options import Options
from jaxtutor.storage.settings import change, load, remove
from jaxtutor.system.editor import Editor
from json_page import broken_promises

LAYOUT = BY_NAME["layout"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new home without any variable of ours."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("COLUMNS", raising=False)
    return tmp_path


def faults(text: str) -> list[tuple[int, str]]:
    """Return the lines and the sentences of what is wrong with a file of this text."""
    import tomllib

    return [(fault.line, fault.says) for fault in read_table(tomllib.loads(text), text)[1]]


def environ(path: Path) -> Mapping[str, str]:
    """Return an environment with its home in this folder."""
    return {"JAXTUTOR_HOME": str(path)}


# ---------------------------------------------------------------- which value


@pytest.mark.parametrize(
    ("variables", "file", "value", "origin"),
    [
        ({}, {}, "auto", DEFAULT),
        ({}, {"layout": "rows"}, "rows", FILE),
        ({"JAXTUTOR_LAYOUT": "panes"}, {"layout": "rows"}, "panes", "JAXTUTOR_LAYOUT"),
        ({"JAXTUTOR_LAYOUT": ""}, {"layout": "rows"}, "rows", FILE),
    ],
)
def test_the_environment_comes_before_the_file(
    variables: dict[str, str], file: dict[str, Any], value: str, origin: str
) -> None:
    """A variable counts before the file, the file before the default; empty means not set."""
    assert Chosen(LAYOUT, value, origin) == choose(LAYOUT, variables, file)


def test_a_variable_that_is_not_valid_is_refused() -> None:
    """A variable is never ignored in favour of the file."""
    with pytest.raises(Refused):
        choose(LAYOUT, {"JAXTUTOR_LAYOUT": "sideways"}, {"layout": "rows"})


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_setting_accepts_its_default_and_its_words(setting: Any) -> None:
    """What is offered for a setting is accepted, and text that means nothing is not."""
    words = (str(setting.default), *setting.words)

    assert [str(setting.read(word)) for word in words] == [
        str(setting.default),
        *setting.words,
    ]
    wrong = ("", "-1", "\0" * 10, *(["nan"] if setting.name != "editor" else []))
    assert {None} == {setting.read(text) for text in wrong}


@pytest.mark.parametrize("text", ["f1", "F12", "c-]", "^a", "ctrl-x", "f13", "space", "c-é", "f0"])
def test_a_prefix_is_accepted_if_it_can_be_a_key(text: str) -> None:
    """The setting accepts exactly the keys that the session can use."""
    assert (BY_NAME["prefix"].read(text) is None) == (parse_prefix(text) is None)


# ---------------------------------------------------------------- the file


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('layout = "rows"\n[limits]\ntime = 2\n', []),
        ('# a\n\nlayuot = "rows"\n', [(3, "there is no setting 'layuot'")]),
        (
            "[limits]\ntime = 0.5\n",
            [(2, "limits.time is '0.5', but has to be a number from 1 to 100")],
        ),
        ('limits = { memory = "x" }\n', [(1, "limits.memory is 'x', but has to be auto, or a")]),
        ("limits.tiem = 3\n", [(1, "there is no setting 'limits.tiem'")]),
        ("[theme]\ncolour = 3\n", [(1, "there is no setting 'theme'")]),
        ("layout = true\n", [(1, "layout is 'True', but has to be one of auto")]),
        ("layout = []\nprefix = 3\n", [(1, "layout is '[]'"), (2, "prefix is '3'")]),
    ],
)
def test_a_fault_has_its_line(text: str, expected: list[tuple[int, str]]) -> None:
    """Each wrong line is named with its number, and the other lines are used."""
    found = faults(text)

    assert [line for line, _ in expected] == [line for line, _ in found]
    assert all(
        says.startswith(start) for (_, says), (_, start) in zip(found, expected, strict=True)
    )


def test_a_line_is_found_in_its_table() -> None:
    """A key of the same name in another table is not mistaken for it."""
    assert 4 == find_line("[other]\ntime = 1\n[limits]\ntime = 2\n", "limits.time")


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"layout = \n", 1, "this is not valid TOML"),
        (b'layout = "rows"\nprefix = "f9\n', 2, "this is not valid TOML"),
        (b"layout = 'rows'\n\xff\n", 2, "it is not UTF-8 text"),
        (b"a = " + b"[" * 5000, 0, "it is nested too deeply"),
        (b"#" * 70000, 0, "it is larger than 64 KiB"),
        (b'layout = "rows"\nlayout = "rows"\n', 2, "this is not valid TOML"),
    ],
)
def test_a_broken_file_says_where(tmp_path: Path, data: bytes, line: int, says: str) -> None:
    """A file that cannot be parsed has one fault, with its line if that is known."""
    (tmp_path / "config.toml").write_bytes(data)
    (fault,) = load(environ(tmp_path)).faults

    assert (line, True) == (fault.line, says in fault.says)
    assert fault.remedy


def test_a_folder_in_place_of_the_file_is_a_fault(tmp_path: Path) -> None:
    """A file that cannot be read is reported, not ignored."""
    (tmp_path / "config.toml").mkdir()

    (fault,) = load(environ(tmp_path)).faults
    assert "it cannot be read" in fault.says


def test_comments_survive_a_change(tmp_path: Path) -> None:
    """Setting and removing a value keep comments, order and blank lines."""
    file = tmp_path / "config.toml"
    file.write_text('# mine\nprefix = "f9"  # as in tmux\n\n[limits]\n# slow laptop\ntime = 2\n')

    change(load(environ(tmp_path)), BY_NAME["limits.time"], "3")
    change(load(environ(tmp_path)), LAYOUT, "rows")
    assert remove(load(environ(tmp_path)), "prefix")

    text = file.read_text()
    assert [line for line in ("# mine", "# slow laptop", "time = 3.0") if line not in text] == []
    assert {"layout": "rows", "limits.time": 3.0} == load(environ(tmp_path)).values
    assert not remove(load(environ(tmp_path)), "prefix")


def test_a_table_that_becomes_empty_is_removed(tmp_path: Path) -> None:
    """The file does not collect empty tables."""
    change(load(environ(tmp_path)), BY_NAME["limits.time"], "3")
    remove(load(environ(tmp_path)), "limits.time")

    assert "limits" not in (tmp_path / "config.toml").read_text()


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    """A change of a file that cannot be parsed is refused, with the line."""
    file = tmp_path / "config.toml"
    file.write_text("layout = \n")

    with pytest.raises(ConfigError, match="line 1"):
        change(load(environ(tmp_path)), LAYOUT, "rows")
    assert "layout = \n" == file.read_text()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """A settings file that is a link into another folder stays a link."""
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "jax.toml").write_text("# kept\n")
    (tmp_path / "config.toml").symlink_to(tmp_path / "dotfiles" / "jax.toml")
    change(load(environ(tmp_path)), LAYOUT, "rows")

    assert (tmp_path / "config.toml").is_symlink()
    assert "# kept" in (tmp_path / "dotfiles" / "jax.toml").read_text()


# ---------------------------------------------------------------- the commands


def do(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command; return its status, output and errors."""
    status = run(list(words))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_settings_are_set_read_and_removed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`config` writes what it reads back."""
    assert 0 == do(capsys, "config", "set", "layout", "rows")[0]
    assert (0, "rows\n", "") == do(capsys, "config", "get", "layout")
    assert 0 == do(capsys, "config", "unset", "layout")[0]
    assert (0, "auto\n", "") == do(capsys, "config", "get", "layout")
    assert (0, f"{home / 'config.toml'}\n", "") == do(capsys, "config", "path")
    for words in (["get", "layout"], ["set", "layout", "rows"], ["unset", "layout"]):
        report = json.loads(do(capsys, "config", *words, "--json")[1])
        assert [] == broken_promises(report, "config-setting")


def test_a_value_that_is_not_accepted_changes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong value or name is a usage error that says what is accepted."""
    status, _, err = do(capsys, "config", "set", "layout", "sideways")
    assert (2, True) == (status, "one of auto, rows, panes, plain" in err)
    status, _, err = do(capsys, "config", "set", "layuot", "rows")
    assert (2, True) == (status, "Did you mean layout?" in err)
    assert not (home / "config.toml").exists()


def test_a_broken_file_stops_commands_but_not_config(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every other command names file, line and remedy; `config` still lists, and can mend it."""
    (home / "config.toml").write_text('layuot = "rows"\n')
    status, _, err = do(capsys, "explain")
    assert (3, True) == (status, f"{home / 'config.toml'}, line 1" in err)

    status, out, err = do(capsys, "config")
    assert (1, True, True) == (status, "panel_rows" in out, "line 1" in err)
    assert 0 == do(capsys, "config", "unset", "layuot")[0]
    assert 0 == do(capsys, "explain")[0]


def test_the_list_says_where_a_value_comes_from(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JSON form has each value with its origin, and every problem."""
    (home / "config.toml").write_text('layout = "rows"\nprefix = "f9"\n')
    monkeypatch.setenv("JAXTUTOR_PREFIX", "f8")
    monkeypatch.setenv("JAXTUTOR_COLOURS", "mauve")
    status, out, _ = do(capsys, "config", "list", "--json")
    report = json.loads(out)
    found = {it["name"]: (it["value"], it["origin"]) for it in report["settings"]}

    assert [] == broken_promises(report, "config-list")
    assert ("rows", FILE) == found["layout"]
    assert ("f8", "JAXTUTOR_PREFIX") == found["prefix"]
    assert (1, 1) == (status, len(report["problems"]))
    assert "JAXTUTOR_COLOURS is 'mauve'" in report["problems"][0]


def test_a_layout_of_the_file_is_used(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`start` reads layout and prefix, and refuses a variable that is not valid."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setenv("JAXTUTOR_LAYOUT", "sideways")
    status, _, err = do(capsys, "start")

    assert (2, True) == (status, "JAXTUTOR_LAYOUT is 'sideways'" in err)
    assert 4 == len(LAYOUTS)


def test_limits_are_raised_and_never_lowered(tmp_path: Path) -> None:
    """The settings raise a lesson's limits; a lesson that needs more keeps its own."""
    from jaxtutor.app import App
    from jaxtutor.options import Options

    variables = {
        "JAXTUTOR_HOME": str(tmp_path),
        "JAXTUTOR_TIME_FACTOR": "3",
        "JAXTUTOR_MEMORY": "2048",
    }
    app = App(Options(), environ=variables)
    lesson = app.course.first()
    checker = app.checker
    app.close()

    needs = lesson.info.needs
    assert 3 * needs.seconds == checker._criteria(lesson).seconds
    assert needs.memory == checker.kind(lesson).memory


@pytest.mark.parametrize(("text", "seconds"), [("none", float("inf")), ("30", 30.0)])
def test_a_script_has_the_time_of_the_settings(tmp_path: Path, text: str, seconds: float) -> None:
    """`diagnose` without --timeout uses the limit of the settings; it has none by default."""
    from jaxtutor.app import App
    from jaxtutor.commands.diagnose import _limit
    from jaxtutor.core.linting.project import ProjectSettings
    from jaxtutor.options import Options

    variables = {"JAXTUTOR_HOME": str(tmp_path), "JAXTUTOR_SCRIPT_SECONDS": text}
    assert seconds == _limit(App(Options(), environ=variables), ProjectSettings())


def test_the_editor_is_set(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`config set editor` is what commands use; one that is not installed is warned of."""
    monkeypatch.setenv("EDITOR", "nano")
    assert 0 == run(["config", "set", "editor", "true"])
    assert "" == capsys.readouterr().err
    found = App(Options()).find_editor("micro")
    assert isinstance(found, Editor)
    assert "true" == found.name

    assert 0 == run(["config", "set", "editor", "no-such-editor"])
    assert "`no-such-editor` was not found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"), [("edtor", "editor"), ("colors", "colours"), ("time", "limits.time")]
)
def test_a_misspelt_setting_gets_a_suggestion(
    home: Path, typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is close to a setting is answered with it."""
    assert 2 == run(["config", "set", typed, "vim"])
    assert f"Did you mean {meant}?" in capsys.readouterr().err
