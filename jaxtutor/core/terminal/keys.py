"""Decodes terminal input: the names of keys, the prefix key, mouse reports.

The sequences are those of xterm ("XTerm Control Sequences", ctlseqs) and of kitty's keyboard
protocol.
"""

from __future__ import annotations

import re

from msgspec import Struct

from jaxtutor.core.terminal.output_filter import read_number

_KEY = re.compile(
    rb"""
      (?P<other>
        \x1b\[20[01]~                                          # bracketed paste, DECSET 2004
      | \x1b\[M ... | \x1b\[< [0-9;]* [Mm]                    # mouse reports, X10 and SGR
      | \x1b\[ [0-9;]* [IORcntxy]                             # focus reports, answers to queries
      | \x1b\[\[ [A-E]                                        # function keys of the Linux console
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
    | (?P<alt> \x1b (?= [^\x1b] ) )?                           # ESC and a key at once: Alt
      (?P<text>
        [\x00-\x7f]
      | [\xc2-\xdf][\x80-\xbf] | [\xe0-\xef][\x80-\xbf]{2} | [\xf0-\xf4][\x80-\xbf]{3}
      )
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_BEGINS_PASTE, _ENDS_PASTE = b"\x1b[200~", b"\x1b[201~"
_UNFINISHED = re.compile(rb"\x1b(?: O | \[ [0-?]* [ -/]* | \[M .{0,2} )\Z", re.VERBOSE | re.DOTALL)
_FUNCTION = (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24)
_FINALS = dict(
    zip(
        (bytes([final]) for final in b"ABCDHFPQRSZ"),
        "up down right left home end f1 f2 f3 f4 backtab".split(),
        strict=True,
    )
)
_NUMBERED = {
    **dict(enumerate("home insert delete end pageup pagedown home end".split(), 1)),
    **{code: f"f{number}" for number, code in enumerate(_FUNCTION, 1)},
}
_CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    " ": "space",
    "\x1b": "escape",
    "\x7f": "backspace",
    "\x08": "backspace",
}
_ALT, _CONTROL = 2, 4
_RELEASED = 3


def is_unfinished(data: bytes) -> bool:
    """Return whether input ends inside a key's sequence. A final ESC may be the Escape key."""
    return bool(_UNFINISHED.search(data[-32:]))


def _name(match: re.Match[bytes]) -> str:
    if match["text"]:
        character = match["text"].decode("utf-8", "replace")
        return _name_character(character, match["alt"] is not None) if len(character) == 1 else ""
    if match["single"]:
        return _FINALS.get(match["single"], "")
    if match["final"] is None:
        return ""
    first, modifiers, event = _numbers(match["numbers"])
    if event == _RELEASED:
        return ""
    if match["final"] == b"u":
        control = "c-" if (modifiers - 1) & _CONTROL and first > ord(" ") else ""
        with_alt = bool((modifiers - 1) & _ALT)
        return control + _name_character(chr(min(first, 0x10FFFF)), with_alt)
    if match["final"] == b"~":
        return _NUMBERED.get(first, "")
    return _FINALS.get(match["final"], "")


def _numbers(text: bytes) -> tuple[int, int, int]:
    """Return the key's code, its modifiers plus one, and the event (1 press, 3 release)."""
    key, _, rest = text.partition(b";")
    modifiers, _, event = rest.partition(b";")[0].partition(b":")
    parts = (key.partition(b":")[0], modifiers, event)
    first, second, third = (read_number(part) for part in parts)
    return first, second or 1, third


def _name_character(character: str, with_alt: bool = False) -> str:
    """Name a character. With Alt it is another key than alone, which must not type it."""
    if with_alt and (name := _name_character(character)):
        return f"a-{name}"
    if character in _CONTROLS:
        return _CONTROLS[character]
    code = ord(character)
    if code < 32:
        return "c-" + chr(code + 64).lower()
    return character if character.isprintable() else ""


# ---------------------------------------------------------------- the prefix


class Prefix(Struct, frozen=True):
    """The key that opens the panel: its name, and every sequence that terminals send for it.

    `raw` is what the editor gets if the key is meant for the editor.
    """

    name: str
    raw: bytes
    pattern: str

    def compile(self) -> re.Pattern[bytes]:
        """Return a pattern that finds the key; its group `up` matches a release of the key."""
        return re.compile(self.pattern.encode("latin-1"))


def parse_prefix(text: str) -> Prefix | None:
    """Parse `f12` or `c-]` as a prefix key; return None if it is neither."""
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
    if number <= 4:  # F1 to F4 are sent as SS3 or as CSI sequences
        letter = "PQRS"[number - 1]
        pattern += rf"|\x1bO{letter}|\x1b\[(?:1(?:;\d+)?(?::[12])?)?{letter}"
        raw = b"\x1bO" + letter.encode()
    return Prefix(f"F{number}", raw, pattern)


def _control_prefix(letter: str) -> Prefix:
    code = ord(letter)
    raw = chr(ord(letter.upper()) & 0x1F)
    pattern = rf"{re.escape(raw)}|\x1b\[{code};5(?::(?:[12]|(?P<up>3)))?u|\x1b\[27;5;{code}~"
    return Prefix(f"Ctrl-{letter.upper()}", raw.encode(), pattern)


# ---------------------------------------------------------------- decoding keys


class Key(Struct, frozen=True):
    """A key: its name, if it has one, and the bytes that a terminal sent for it.

    `is_other` marks input that is not a key: an answer to a query, the mouse, pasted text.
    `is_paste` marks pasted text and its markers.
    """

    name: str
    raw: bytes
    is_other: bool = False
    is_paste: bool = False


PREFIX = "prefix"
"""The name of the prefix key, if the keyboard has one."""
_ESCAPE_TIMEOUT, _SEQUENCE_TIMEOUT = 0.05, 1.0
"""Seconds. A terminal sends a sequence at once, so an ESC followed by nothing is the Escape key."""


class Keyboard:
    """Decodes keys from chunks of input; an incomplete sequence is held until the rest arrives."""

    def __init__(self, prefix: Prefix | None = None) -> None:
        self._prefix = prefix.compile() if prefix else None
        self._held = b""
        self._pasting = False

    @property
    def timeout(self) -> float | None:
        """Seconds to wait for more input before calling `settle`; None if nothing is held."""
        if not self._held and not self._pasting:
            return None
        return _ESCAPE_TIMEOUT if self._may_be_keys else _SEQUENCE_TIMEOUT

    @property
    def _may_be_keys(self) -> bool:
        """Return whether the held bytes may be complete keys: Escape, or Alt with a letter."""
        return 0 < len(self._held) <= 2 and self._held[0] == 0x1B and not self._pasting

    def feed(self, data: bytes) -> list[Key]:
        """Decode a chunk of input; return the keys that are complete."""
        data, self._held = self._held + data, b""
        keys: list[Key] = []
        position = 0
        while position < len(data):
            if self._pasting:
                position = self._paste(data, position, keys)
                continue
            match = _KEY.match(data, position)
            assert match is not None, "_KEY matches at least one byte"
            if match["begun"]:
                self._held = match[0]
                break
            self._pasting = match[0] == _BEGINS_PASTE
            is_paste = match[0] in (_BEGINS_PASTE, _ENDS_PASTE)
            keys.append(Key(self._name(match), match[0], match["other"] is not None, is_paste))
            position = match.end()
        return keys

    def _paste(self, data: bytes, position: int, keys: list[Key]) -> int:
        """Add the pasted text that has arrived, and return where it ends."""
        found = data.find(_ENDS_PASTE, position)
        end = found + len(_ENDS_PASTE)
        if found < 0:
            sizes = range(len(_ENDS_PASTE) - 1, 0, -1)
            held = next((size for size in sizes if data.endswith(_ENDS_PASTE[:size])), 0)
            end = max(len(data) - held, position)
            self._held = data[end:]
        self._pasting = found < 0
        if data[position:end]:
            keys.append(Key("", data[position:end], is_other=True, is_paste=True))
        return len(data) if self._pasting else end

    def settle(self) -> list[Key]:
        """Decode the held bytes when no more input has come: ESC is then the Escape key."""
        are_keys, was_pasting = self._may_be_keys, self._pasting
        held, self._held, self._pasting = self._held, b"", False
        if are_keys:
            return [Key(_name_character(chr(held[-1]), with_alt=len(held) > 1), held)]
        return [Key("", held, is_other=True, is_paste=was_pasting)] if held else []

    def _name(self, match: re.Match[bytes]) -> str:
        if self._prefix and (found := self._prefix.fullmatch(match[0])):
            return "" if found.groupdict().get("up") else PREFIX
        return _name(match)


def decode(data: bytes) -> list[str]:
    """Return the names of the keys in some input: `a`, `enter`, `up`, `c-c`, …"""
    keyboard = Keyboard()
    return [key.name for key in (*keyboard.feed(data), *keyboard.settle()) if key.name]


# ---------------------------------------------------------------- input for the editor

_MOUSE = re.compile(rb"\x1b\[<(\d+);(\d+);(\d+)([Mm])|\x1b\[M(.)(.)(.)", re.DOTALL)
_MOVES, _WHEEL_UP, _WHEEL_DOWN = 32, 64, 65


class SplitInput(Struct, frozen=True):
    """A chunk of input, split: bytes for the editor, wheel steps over our rows, and the rest.

    `clicks` are the columns and rows, counted from 1, of clicks in our rows. `after` is what
    follows the prefix key; None if it was not pressed.
    """

    editor: bytes
    wheel: int = 0
    clicks: tuple[tuple[int, int], ...] = ()
    after: bytes | None = None


class InputFilter:
    """Passes input to the editor, except the prefix key and mouse reports in the rows below.

    `has_mouse` is False if the editor has not requested reports of the mouse: they are then ours.
    """

    def __init__(self, prefix: Prefix, rows: int) -> None:
        self.rows = rows
        self.has_mouse = True
        self._is_pressed = False  # a button was pressed in our rows and not released yet
        self._prefix = prefix.compile()
        self._pasting = False
        self._end = b""  # the last bytes pasted: the end marker may be split between two chunks

    def split(self, data: bytes) -> SplitInput:
        """Split a chunk. Nothing is held back; pasted text always goes to the editor."""
        editor, wheel = bytearray(), 0
        clicks: list[tuple[int, int]] = []
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
            clicks += before.clicks
            if pressed:
                data = data[pressed.end() :]
                if not pressed.groupdict().get("up"):  # a release is dropped
                    return SplitInput(bytes(editor), wheel, tuple(clicks), data)
            else:
                self._pasting = begins >= 0
                editor += data[end : end + len(_BEGINS_PASTE)]
                data = data[end + len(_BEGINS_PASTE) :]
        return SplitInput(bytes(editor), wheel, tuple(clicks))

    def _measure_paste(self, data: bytes) -> int:
        """Return how much of the chunk is pasted. A start marker inside pasted text is text."""
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
        clicks: list[tuple[int, int]] = []

        def sort(match: re.Match[bytes]) -> bytes:
            nonlocal wheel
            button, column, row, is_press = _read_mouse(match)
            if row <= self.rows and not self._is_pressed:
                return match[0] if self.has_mouse else b""
            if is_press and not button & _MOVES:
                self._is_pressed = button < _WHEEL_UP
                wheel += {_WHEEL_UP: -1, _WHEEL_DOWN: 1}.get(button, 0)
                clicks.extend([(column, row)] if button == 0 else [])
                return b""
            was_pressed, self._is_pressed = self._is_pressed, self._is_pressed and is_press
            if was_pressed or not self.rows or not self.has_mouse:
                return b""
            return self._at_last_row(match)  # the end of a drag that left the editor's rows

        return SplitInput(_MOUSE.sub(sort, data), wheel, tuple(clicks))

    def _at_last_row(self, match: re.Match[bytes]) -> bytes:
        if match[4]:
            return b"\x1b[<%s;%s;%d%s" % (match[1], match[2], self.rows, match[4])
        return match[0][:-1] + bytes([min(self.rows + 32, 255)])


def _read_mouse(match: re.Match[bytes]) -> tuple[int, int, int, bool]:
    """Return button, column, row, and whether the button was pressed."""
    if match[4]:
        column, row = read_number(match[2]), read_number(match[3])
        return read_number(match[1]), column, row, match[4] == b"M"
    button = match[5][0] - 32
    return button, match[6][0] - 32, match[7][0] - 32, button & 3 != _RELEASED
