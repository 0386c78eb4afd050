"""Defines the settings that a person can choose, and reads their values from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from jaxtutor.core.data.lessons import suggest

Value = str | int | float
Read = Callable[[str], Value | None]

LAYOUTS = ("auto", "rows", "panes", "plain")
COLOURS = ("auto", "dark", "light", "none")
KEYS = ("emacs", "vi")
REMEMBER = ("causes", "nothing")
PANEL_ROWS = (3, 60)
"""Rows below the editor: fewer cannot hold a sentence, and no screen has more to spare."""
TIME = (1.0, 100.0)
"""Factor of a lesson's time limit. A smaller limit would fail correct programs."""
MEMORY = (1024, 1 << 20)
"""MiB, as in a lesson's `needs`."""
SECONDS = (1.0, 86_400.0)
DEFAULT, FILE = "default", "file"
"""Where a value came from, if it did not come from a variable."""
PREFIX = "f12"
"""vim, neovim, emacs, micro, helix and kakoune do not use F12, and in nano it only repeats Ctrl-T.
It is on every keyboard, and every terminal sends the same sequence."""
_PREFIX = r"(?i)f([1-9]|1[0-2])|(c-|ctrl-|\^)[a-z\\\]^_]"


class Setting(Struct, frozen=True):
    """A setting: its name in the file, its variable, its default, and what is accepted."""

    name: str
    variable: str
    default: Value
    says: str
    form: str
    read: Read
    words: tuple[str, ...] = ()


class Chosen(Struct, frozen=True):
    """The value in force for a setting, and where it came from: a variable, `file`, `default`."""

    setting: Setting
    value: Value
    origin: str


class Refused(Exception):
    """A variable has a value that its setting does not accept."""

    def __init__(self, setting: Setting, text: str) -> None:
        super().__init__(text)
        self.setting, self.text = setting, text


def _word(words: tuple[str, ...]) -> Read:
    return lambda text: text.strip().lower() if text.strip().lower() in words else None


def _whole(low: int, high: int) -> Read:
    def read(text: str) -> int | None:
        digits = text.strip()
        number = int(digits) if re.fullmatch(r"[0-9]{1,9}", digits) else -1
        return number if low <= number <= high else None

    return read


def _number(low: float, high: float) -> Read:
    def read(text: str) -> float | None:
        try:
            number = float(text)
        except ValueError:
            return None
        return number if low <= number <= high else None  # false for nan too

    return read


def _or(word: str, other: Read) -> Read:
    return lambda text: word if text.strip().lower() == word else other(text)


def _prefix(text: str) -> str | None:
    return text.strip().lower() if re.fullmatch(_PREFIX, text.strip()) else None


def _command(text: str) -> str | None:
    command = text.strip()
    return command if command.isprintable() and command[:1] not in ("", "-") else None


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "editor",
        "JAXTUTOR_EDITOR",
        "auto",
        "Your editor; auto takes that of VISUAL or EDITOR, or the one that you chose in a session.",
        "auto, or a command, such as vim or code",
        _or("auto", _command),
        ("auto", "micro", "nano", "vim", "nvim", "hx", "emacs", "code"),
    ),
    Setting(
        "layout",
        "JAXTUTOR_LAYOUT",
        "auto",
        "Where `start` shows the verdict.",
        "one of auto, rows, panes, plain",
        _word(LAYOUTS),
        LAYOUTS,
    ),
    Setting(
        "panel_rows",
        "JAXTUTOR_PANEL_ROWS",
        "auto",
        "Rows of the panel below the editor.",
        f"auto, or a number from {PANEL_ROWS[0]} to {PANEL_ROWS[1]}",
        _or("auto", _whole(*PANEL_ROWS)),
        ("auto",),
    ),
    Setting(
        "prefix",
        "JAXTUTOR_PREFIX",
        PREFIX,
        "The key that opens the panel.",
        "a function key, such as f9, or Ctrl and a character, such as c-]",
        _prefix,
        tuple(f"f{number}" for number in range(1, 13)),
    ),
    Setting(
        "colours",
        "JAXTUTOR_COLOURS",
        "auto",
        "Colours for a dark or a light background; none uses bold and dim only.",
        "one of auto, dark, light, none",
        _word(COLOURS),
        COLOURS,
    ),
    Setting(
        "keys",
        "JAXTUTOR_KEYS",
        "auto",
        "Editing keys of `repl`; auto follows readline's setting.",
        "one of auto, emacs, vi",
        _word(("auto", *KEYS)),
        ("auto", *KEYS),
    ),
    Setting(
        "limits.time",
        "JAXTUTOR_TIME_FACTOR",
        1.0,
        "Factor of the time limit of every check, for a slow machine.",
        f"a number from {TIME[0]:g} to {TIME[1]:g}",
        _number(*TIME),
    ),
    Setting(
        "limits.memory",
        "JAXTUTOR_MEMORY",
        "auto",
        "MiB that a check may use, if the lesson allows less.",
        f"auto, or a number from {MEMORY[0]} to {MEMORY[1]}",
        _or("auto", _whole(*MEMORY)),
        ("auto",),
    ),
    Setting(
        "limits.script",
        "JAXTUTOR_SCRIPT_SECONDS",
        "none",
        "Seconds that `diagnose` lets a script run.",
        f"none, or a number from {SECONDS[0]:g} to {SECONDS[1]:g}",
        _or("none", _number(*SECONDS)),
        ("none",),
    ),
    Setting(
        "remember",
        "JAXTUTOR_REMEMBER",
        "causes",
        "What `diagnose` remembers of your programs: the names of causes, for `drill`, or nothing.",
        "one of causes, nothing",
        _word(REMEMBER),
        REMEMBER,
    ),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


def choose(setting: Setting, environ: Mapping[str, str], file: Mapping[str, Value]) -> Chosen:
    """Choose a value: the environment before the file before the default. Raises Refused."""
    if text := environ.get(setting.variable):
        value = setting.read(text)
        if value is None:
            raise Refused(setting, text)
        return Chosen(setting, value, setting.variable)
    if setting.name in file:
        return Chosen(setting, file[setting.name], FILE)
    return Chosen(setting, setting.default, DEFAULT)


# ---------------------------------------------------------------- the file


class Fault(Struct, frozen=True):
    """What is wrong with a settings file: the line, counted from 1 (0: unknown), and a remedy."""

    line: int
    says: str
    remedy: str


def read_table(table: Mapping[str, object], text: str) -> tuple[dict[str, Value], list[Fault]]:
    """Return the valid settings of a parsed file, and what is wrong with the others."""
    values: dict[str, Value] = {}
    faults: list[Fault] = []
    for name, found in flatten(table):
        setting = BY_NAME.get(name)
        value = setting.read(str(found)) if setting and _is_plain(found) else None
        if setting is None:
            faults.append(Fault(find_line(text, name), *_unknown(name)))
        elif value is None:
            says = f"{name} is {str(found)[:60]!r}, but has to be {setting.form}"
            remedy = f"Correct it, or remove it: jaxtutor config unset {name}"
            faults.append(Fault(find_line(text, name), says, remedy))
        else:
            values[name] = value
    return values, faults


def _is_plain(found: object) -> bool:
    return isinstance(found, str | int | float) and not isinstance(found, bool)


def _unknown(name: str) -> tuple[str, str]:
    close = suggest(name, [*BY_NAME])
    did_you_mean = f"Did you mean {' or '.join(close)}? " if close else ""
    remedy = f"{did_you_mean}Correct it, or remove it: jaxtutor config unset {name}"
    return f"there is no setting {name!r}", remedy


def flatten(table: Mapping[str, object], before: str = "") -> list[tuple[str, object]]:
    """List the keys of a table with their values; nested keys are joined with dots."""
    found: list[tuple[str, object]] = []
    for key, value in table.items():
        name = f"{before}{key}"
        # Only a known table is read further, so that an unknown one is reported once.
        if isinstance(value, Mapping) and any(it.startswith(f"{name}.") for it in BY_NAME):
            found += flatten(value, f"{name}.")
        else:
            found.append((name, value))
    return found


_TABLE = r"\s*\[+\s*([^\[\]]+?)\s*\]+"
_KEY = r"""\s*([\w.\-\s"']+?)\s*="""


def find_line(text: str, name: str) -> int:
    """Return the line that sets a name or opens the table of this name; 0 if it is not found."""
    inside = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(_TABLE, line):
            inside = _bare(match[1]) + "."
            if inside == f"{name}.":
                return number
        elif match := re.match(_KEY, line):
            key = inside + _bare(match[1])
            if key == name or name.startswith(f"{key}."):
                return number
    return 0


def _bare(key: str) -> str:
    return re.sub(r"""["'\s]""", "", key)
