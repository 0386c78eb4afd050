"""Owns what a person presses, as a terminal sends it: names of keys, the prefix, the mouse."""

from __future__ import annotations

import re

from msgspec import Struct

from jaxtutor.core.terminal.output_filter import read_number

_KEY = re.compile(
    rb"""
      (?P<other>
        \x1b\[20[01]~                                          # around what is pasted
      | \x1b\[M ... | \x1b\[< [0-9;]* [Mm]                    # the mouse
      | \x1b\[ [0-9;]* [IORcntxy]                             # answers, and telling of the focus
      | \x1b\[\[ [A-E]                                        # function keys of a console
      | \x1b\[ (?= [<-?] | [0-9;:]*[ -/] ) [0-?]* [ -/]* [@-~]
      | \x1b[\]PX^_] [^\x07\x18\x1a\x1b]* (?: [\x07\x18\x1a] | \x1b\\ )
      )
    | (?P<begun>
        \x1b (?: O | \[ [0-?]* [ -/]* | \[M .{0,2} | \[\[ )? \Z
      | \x1b[\]PX^_] [^\x07\x18\x1a\x1b]* \x1b? \Z
      | (?: [\xc2-\xdf] | [\xe0-\xef][\x80-\xbf]? | [\xf0-\xf4][\x80-\xbf]{0,2} ) \Z
      )
    | \x1b\[ (?P<numbers>[0-9;:]*) (?P<final>[@-~])
    | \x1bO (?P<single>[A-Za-z])
    | (?P<text>
        [\x00-\x7f]
      | [\xc2-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf4][\x80-\xbf]{3}
      )
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_BEGINS_PASTE, _ENDS_PASTE = b"\x1b[200~", b"\x1b[201~"
_UNFINISHED = re.compile(rb"\x1b(?: O | \[ [0-?]* [ -/]* | \[M .{0,2} )\Z", re.VERBOSE | re.DOTALL)
_FINALS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end"}
_NUMBERED = {1: "home", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end"}
_FUNCTION = (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24)
_CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    " ": "space",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\x08": "backspace",
}
_CONTROL = 4
_RELEASED = 3


def is_unfinished(data: bytes) -> bool:
    """Tell whether input ends inside what one key sends. An escape at its end may be a key."""
    return bool(_UNFINISHED.search(data[-32:]))


def _name(match: re.Match[bytes]) -> str:
    if match["text"]:
        character = match["text"].decode("utf-8", "replace")
        return _name_character(character) if len(character) == 1 else ""
    if match["single"]:
        return _FINALS.get(match["single"], "")
    if match["final"] is None:
        return ""
    first, modifiers, event = _numbers(match["numbers"])
    if event == _RELEASED:
        return ""
    if match["final"] == b"u":
        control = "c-" if (modifiers - 1) & _CONTROL and first > ord(" ") else ""
        return control + _name_character(chr(min(first, 0x10FFFF)))
    if match["final"] == b"~":
        return _NUMBERED.get(first, "")
    return _FINALS.get(match["final"], "")


def _numbers(text: bytes) -> tuple[int, int, int]:
    """Return the key's number, its modifiers plus one, and what happened to it."""
    key, _, rest = text.partition(b";")
    modifiers, _, event = rest.partition(b";")[0].partition(b":")
    parts = (key.partition(b":")[0], modifiers, event)
    first, second, third = (read_number(part) for part in parts)
    return first, second or 1, third


def _name_character(character: str) -> str:
    if character in _CONTROLS:
        return _CONTROLS[character]
    code = ord(character)
    if code < 32:
        return "c-" + chr(code + 64).lower()
    return character if character.isprintable() else ""


# ---------------------------------------------------------------- the prefix


class Prefix(Struct, frozen=True):
    """The key that reaches the panel: how it is called, and all that terminals send for it.

    `raw` is what an editor gets that is meant to have the key itself.
    """

    name: str
    raw: bytes
    pattern: str

    def compile(self) -> re.Pattern[bytes]:
        """Return what finds the key pressed; a match's group `up` is filled where it was let go."""
        return re.compile(self.pattern.encode("latin-1"))


def parse_prefix(text: str) -> Prefix | None:
    """Read `f12` or `c-]` as a prefix; None for what is neither."""
    text = text.strip().lower()
    if match := re.fullmatch(r"f([1-9]|1[0-2])", text):
        return _function_prefix(int(match[1]))
    if match := re.fullmatch(r"(?:c-|ctrl-|\^)([a-z\\\]^_])", text):
        return _control_prefix(match[1])
    return None


def _function_prefix(number: int) -> Prefix:
    code = _FUNCTION[number - 1]
    pattern = rf"\x1b\[{code}(?:;\d+)?(?::(?:[12]|(?P<up>3)))?~"
    raw = b"\x1b[%d~" % code
    if number <= 4:  # these four have two ways of being sent
        letter = "PQRS"[number - 1]
        pattern += rf"|\x1bO{letter}|\x1b\[(?:1(?:;\d+)?(?::[12])?)?{letter}"
        raw = b"\x1bO" + letter.encode()
    return Prefix(f"F{number}", raw, pattern)


def _control_prefix(letter: str) -> Prefix:
    code = ord(letter)
    raw = chr(ord(letter.upper()) & 0x1F)
    pattern = rf"{re.escape(raw)}|\x1b\[{code};5(?::(?:[12]|(?P<up>3)))?u|\x1b\[27;5;{code}~"
    return Prefix(f"Ctrl-{letter.upper()}", raw.encode(), pattern)


# ---------------------------------------------------------------- keys as they come


class Key(Struct, frozen=True):
    """What was pressed, by name if it has one, and what a terminal sent for it.

    `is_other` says that nothing was pressed: a terminal's answer, the mouse, part of a paste.
    """

    name: str
    raw: bytes
    is_other: bool = False


PREFIX = "prefix"
"""The name of the prefix, where one is looked for."""
_SOON, _LATER = 0.05, 1.0


class Keyboard:
    """Names keys as they come, in whatever parts: what is begun is held back until it is whole."""

    def __init__(self, prefix: Prefix | None = None) -> None:
        self._prefix = prefix.compile() if prefix else None
        self._held = b""
        self._pasting = False

    @property
    def patience(self) -> float | None:
        """How many seconds to wait for the rest before `settle`; None where nothing is held."""
        if not self._held and not self._pasting:
            return None
        return _SOON if self._may_be_keys else _LATER

    @property
    def _may_be_keys(self) -> bool:
        """Tell whether what is held may be all that is coming: an escape, or one with a letter."""
        return 0 < len(self._held) <= 2 and self._held[0] == 0x1B and not self._pasting

    def feed(self, data: bytes) -> list[Key]:
        """Take some input; return what is whole."""
        data, self._held = self._held + data, b""
        keys: list[Key] = []
        position = 0
        while position < len(data):
            if self._pasting:
                position = self._paste(data, position, keys)
                continue
            match = _KEY.match(data, position)
            assert match is not None, "anything is at least a byte"
            if match["begun"]:
                self._held = match[0]
                break
            self._pasting = match[0] == _BEGINS_PASTE
            keys.append(Key(self._name(match), match[0], match["other"] is not None))
            position = match.end()
        return keys

    def _paste(self, data: bytes, position: int, keys: list[Key]) -> int:
        """Pass on what is pasted, as far as it came; return how far that is."""
        found = data.find(_ENDS_PASTE, position)
        end = found + len(_ENDS_PASTE)
        if found < 0:
            sizes = range(len(_ENDS_PASTE) - 1, 0, -1)
            held = next((size for size in sizes if data.endswith(_ENDS_PASTE[:size])), 0)
            end = max(len(data) - held, position)
            self._held = data[end:]
        self._pasting = found < 0
        if data[position:end]:
            keys.append(Key("", data[position:end], is_other=True))
        return len(data) if self._pasting else end

    def settle(self) -> list[Key]:
        """Take it that no more comes: an escape was the key, and the rest was none."""
        are_keys = self._may_be_keys
        held, self._held, self._pasting = self._held, b"", False
        if are_keys:
            return [Key(_name_character(chr(byte)), bytes([byte])) for byte in held]
        return [Key("", held, is_other=True)] if held else []

    def _name(self, match: re.Match[bytes]) -> str:
        if self._prefix and (found := self._prefix.fullmatch(match[0])):
            return "" if found.groupdict().get("up") else PREFIX
        return _name(match)


def decode(data: bytes) -> list[str]:
    """Name the keys in some input: `a`, `enter`, `up`, `c-c`; what is no key has no name."""
    keyboard = Keyboard()
    return [key.name for key in (*keyboard.feed(data), *keyboard.settle()) if key.name]


# ---------------------------------------------------------------- what is the editor's

_MOUSE = re.compile(rb"\x1b\[<(\d+);(\d+);(\d+)([Mm])|\x1b\[M(.)(.)(.)", re.DOTALL)
_MOVES, _WHEEL_UP, _WHEEL_DOWN = 32, 64, 65


class SplitInput(Struct, frozen=True):
    """Some input, sorted: what the editor gets, how far the wheel scrolls our rows, and the rest.

    `after` is what came after the prefix; None while it was not pressed.
    """

    editor: bytes
    wheel: int = 0
    after: bytes | None = None


class InputFilter:
    """Lets a person's input through to the editor, but for the prefix and the mouse below it."""

    def __init__(self, prefix: Prefix, rows: int) -> None:
        self.rows = rows
        self._prefix = prefix.compile()
        self._pasting = False
        self._end = b""  # of what was pasted last: the mark of its end may come in two parts

    def split(self, data: bytes) -> SplitInput:
        """Sort some input. Nothing is held back; what is pasted is the editor's."""
        editor, wheel = bytearray(), 0
        while data:
            if self._pasting:
                size = self._measure_paste(data)
                editor += data[:size]
                data = data[size:]
                continue
            begins = data.find(_BEGINS_PASTE)
            pressed = self._prefix.search(data)
            if pressed and 0 <= begins < pressed.start():
                pressed = None
            end = pressed.start() if pressed else begins if begins >= 0 else len(data)
            before = self._without_mouse(data[:end])
            editor += before.editor
            wheel += before.wheel
            if pressed:
                data = data[pressed.end() :]
                if not pressed.groupdict().get("up"):  # let go, it is nobody's
                    return SplitInput(bytes(editor), wheel, data)
            else:
                self._pasting = begins >= 0
                editor += data[end : end + len(_BEGINS_PASTE)]
                data = data[end + len(_BEGINS_PASTE) :]
        return SplitInput(bytes(editor), wheel)

    def _measure_paste(self, data: bytes) -> int:
        """Return how much of some input is pasted. A mark in it that begins a paste is text."""
        found = (self._end + data).find(_ENDS_PASTE)
        if found < 0:
            self._end = (self._end + data)[-len(_ENDS_PASTE) + 1 :]
            return len(data)
        size = found + len(_ENDS_PASTE) - len(self._end)
        self._pasting, self._end = False, b""
        return size

    def _without_mouse(self, data: bytes) -> SplitInput:
        if b"\x1b[" not in data:
            return SplitInput(data)
        wheel = 0

        def sort(match: re.Match[bytes]) -> bytes:
            nonlocal wheel
            button, row, is_press = _read_mouse(match)
            if row <= self.rows:
                return match[0]
            if is_press and not button & _MOVES:
                wheel += {_WHEEL_UP: -1, _WHEEL_DOWN: 1}.get(button, 0)
                return b""
            return self._at_last_row(match)  # a drag that left the editor's rows

        return SplitInput(_MOUSE.sub(sort, data), wheel)

    def _at_last_row(self, match: re.Match[bytes]) -> bytes:
        if match[4]:
            return b"\x1b[<%s;%s;%d%s" % (match[1], match[2], self.rows, match[4])
        return match[0][:-1] + bytes([min(self.rows + 32, 255)])


def _read_mouse(match: re.Match[bytes]) -> tuple[int, int, bool]:
    """Return button, row, and whether it was pressed."""
    if match[4]:
        return read_number(match[1]), read_number(match[3]), match[4] == b"M"
    button = match[5][0] - 32
    return button, match[7][0] - 32, button & 3 != _RELEASED
