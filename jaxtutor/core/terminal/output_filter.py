"""Filters an editor's output, so that the editor can use only the upper rows of the terminal.

Nearly all bytes pass unchanged. Sequences that would affect the rows below are limited to the
editor's rows, and after an erase the panel is repainted in the same write. The sequences are those
of ECMA-48 and of xterm ("XTerm Control Sequences", ctlseqs).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

HELD = 1 << 20
"""Bytes of an incomplete sequence that are held back; a longer one is passed on as it is."""

_TOKEN = re.compile(
    rb"""
      [^\x1b]+                                                    # text and C0 controls
    | \x1b\[ [\x00-\x17\x19\x1c-?]* (?: [@-~] | [\x18\x1a\x7f] | (?=[\x1b\x80-\xff]) )
    | \x1b\] [^\x07\x18\x1a\x1b]* (?: [\x07\x18\x1a] | \x1b\\ | (?=\x1b[^\\]) )
    | \x1b[X^_] [^\x18\x1a\x1b]* (?: [\x18\x1a] | \x1b\\ | (?=\x1b[^\\]) )
    | \x1bP (?: [^\x18\x1a\x1b] | \x1b[^\\] )* (?: [\x18\x1a] | \x1b\\ )  # DCS, may contain ESC
    | \x1b [ -/]+ (?: [0-~] | (?=[^ -~]) )
    | \x1b [0-OQ-WYZ\\`-~]
    | \x1b (?=[\x00-\x1f\x7f-\xff])
    """,
    re.VERBOSE | re.DOTALL,
)
_CONTROL = re.compile(rb"\x1b\[([<-?]?)([0-9:;]*)([ -/]*)([@-~])")
_WHOLE = re.compile(
    rb"\x1b(?: \[.*[@-~] | [\]X^_P].*(?:\x07|\x1b\\) | [ -/]+[0-~] | [0-OQ-WYZ\\`-~] )",
    re.VERBOSE | re.DOTALL,
)
_UNFINISHED = re.compile(
    rb"(?: [\xc2-\xdf] | [\xe0-\xef][\x80-\xbf]? | [\xf0-\xf4][\x80-\xbf]{0,2} )\Z", re.VERBOSE
)
_ALTERNATE = frozenset({47, 1047, 1049})
_BLOCKED_MODES = _ALTERNATE | {3, 2048}
_MOUSE = frozenset({9, 1000, 1001, 1002, 1003})
_SGR_MOUSE = 1006
_WRAPS, _SHOWS_CURSOR, _SIDES, _UPDATING, _SAVES_CURSOR = 7, 25, 69, 2026, 1048
_CLEAR = b"\x1b[2J"

LEAVE = (
    b"\x1b[r"  # DECSTBM: no scrolling margins
    b"\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l"  # mouse reports
    b"\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    b"\x1b[?2004l\x1b[?1004l\x1b[?2026l\x1b[?2031l"  # paste, focus, updates, colour scheme
    b"\x1b[?5l\x1b[?69l\x1b[?6l\x1b[?7h\x1b[?1l\x1b>"  # reverse, margins, origin, wrap, keypad
    b"\x1b[>4;m\x1b[<99u"  # modifyOtherKeys, kitty's stack of keyboard flags
    b"\x1b[4l\x0f\x1b(B\x1b[0m\x1b[0 q\x1b[?12l\x1b[?25h"  # insert mode, charset, SGR, cursor
)
"""Resets every mode that an editor may have set."""


def read_number(digits: bytes) -> int:
    """Parse a parameter, 0 if missing; its digits are cut to ten, more than terminals accept."""
    return int(digits.lstrip(b"0")[:10] or b"0") if digits.isdigit() else 0


class Passed(Struct, frozen=True):
    """The result of filtering a chunk of an editor's output.

    `output` goes to the terminal and ends between sequences; `reply` goes back to the editor.
    `erased` means that the rows below must be repainted in the same write.
    """

    output: bytes = b""
    reply: bytes = b""
    erased: bool = False


class Filter:
    """Limits one editor's output to the upper rows of a terminal."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows = rows
        self._columns = columns
        self._held = b""
        self._saved = False
        self._modes: dict[int, bool] = {}
        self._others: dict[bytes, bytes] = {}  # the last sequence that set each other state
        self._keyboards: list[bytes] = []

    @property
    def is_quiet(self) -> bool:
        """Return whether painting is allowed now: not inside a sequence or synchronized update."""
        return self.may_repaint and not (self._held or self._modes.get(_UPDATING))

    @property
    def may_repaint(self) -> bool:
        """Return whether the panel may be repainted right after an erase."""
        return self.can_paint and not self._saved

    @property
    def can_paint(self) -> bool:
        """Return whether painting reaches whole rows: not while left and right margins are set.

        Terminals save only one cursor (DECSC). Painting between an editor's save and restore would
        move the editor's cursor.
        """
        return not self._modes.get(_SIDES)

    @property
    def has_mouse(self) -> bool:
        """Return whether the editor has requested reports of the mouse."""
        return any(self._modes.get(mode) for mode in _MOUSE)

    def switch_mouse(self, on: bool) -> bytes:
        """Return what turns reports on for us, or off again as far as the editor has them off."""
        if on:
            return b"\x1b[?1000h\x1b[?1006h"
        off = b"" if self._modes.get(1000) else b"\x1b[?1000l"
        return off + (b"" if self._modes.get(_SGR_MOUSE) else b"\x1b[?1006l")

    def resize(self, rows: int, columns: int) -> bytes:
        """Set another size; return what to send to the terminal for it."""
        self._rows, self._columns = rows, columns
        return self._region()

    def modes(self) -> bytes:
        """Return the sequences that restore the editor's modes on a terminal that was reset."""
        modes = (b"\x1b[?%d%c" % (mode, b"lh"[on]) for mode, on in self._modes.items())
        return b"".join((*modes, *self._others.values(), *self._keyboards))

    def feed(self, data: bytes) -> Passed:
        """Filter a chunk of output; an incomplete sequence is held until the rest arrives."""
        data = self._held + data
        output: list[bytes] = []
        replies: list[bytes] = []
        erased = False
        position = 0
        while match := _TOKEN.match(data, position):
            passed = self._pass(match[0])
            output.append(passed.output)
            replies.append(passed.reply)
            erased = erased or passed.erased
            position = match.end()
        self._held = data[position:]
        if not self._held and (tail := _UNFINISHED.search(data[-3:])):
            self._held = tail[0]
            output[-1] = output[-1][: -len(tail[0])]
        if len(self._held) > HELD:
            output.append(self._held)
            self._held = b""
        return Passed(b"".join(output), b"".join(replies), erased)

    def paint(self, lines: Mapping[int, bytes], hides_cursor: bool = False) -> bytes:
        """Return sequences that draw these lines, by row counted from 1, and restore all state."""
        shows_cursor = self._modes.get(_SHOWS_CURSOR, True) and not hides_cursor
        body = b"".join(b"\x1b[%d;1H\x1b[0m\x1b[K%b" % item for item in lines.items())
        return b"".join(
            (
                b"\x1b7\x1b[?25l\x1b[?6l\x1b[?7l\x0f\x1b(B",
                body,
                b"\x1b[0m",
                b"\x1b[?7h" if self._modes.get(_WRAPS, True) else b"",
                b"\x1b8",
                b"\x1b[?25h" if shows_cursor else b"",
            )
        )

    def _region(self) -> bytes:
        return b"\x1b[1;%dr" % self._rows

    # ------------------------------------------------------------ one token

    def _pass(self, token: bytes) -> Passed:
        if token[0] != 0x1B:
            return Passed(token)
        if not _WHOLE.fullmatch(token):
            return Passed()  # cancelled or malformed: a terminal would ignore it
        if token == b"\x1bc":
            self._reset()
            return Passed(b"\x1b[!p\x1b[H" + _CLEAR + self._region(), erased=True)
        if token == b"\x1b#8":
            return Passed(token + self._region(), erased=True)
        if token in (b"\x1b7", b"\x1b8"):
            self._saved = token == b"\x1b7"
        if token in (b"\x1b=", b"\x1b>"):
            self._others[b"keypad"] = token
        control = _CONTROL.fullmatch(token)
        return self._pass_control(token, *control.groups()) if control else Passed(token)

    def _pass_control(
        self, token: bytes, private: bytes, parameters: bytes, between: bytes, final: bytes
    ) -> Passed:
        numbers = list(map(read_number, parameters.split(b";")))
        rules: dict[bytes, Callable[[bytes, list[int]], Passed]] = {
            b"r": self._margins,
            b"H": self._move,
            b"f": self._move,
            b"d": self._move,
            b"J": self._erase,
            b"?J": self._erase,
            b"?h": self._switch,
            b"?l": self._switch,
            b"?$p": self._ask_mode,
            b"t": self._window,
            b"!p": lambda token, _: self._soft_reset(token),
            b"s": lambda token, _: self._save(token, True),
            b"u": lambda token, _: self._save(token, False),
            b" q": lambda token, _: self._note(b"cursor", token),
            b">m": lambda token, _: self._note(b"modified keys", token),
            b"h": lambda token, _: self._note(parameters, token),
            b"l": lambda token, _: self._note(parameters, token),
            b">u": self._keyboard,
            b"=u": lambda token, _: self._note(b"keyboard", token),
            b"<u": self._keyboard,
        }
        rule = rules.get(private + between + final)
        return rule(token, numbers) if rule else Passed(token)

    def _margins(self, token: bytes, numbers: list[int]) -> Passed:
        """Limit the scrolling margins (DECSTBM) to the editor's rows; the default is the screen."""
        top, bottom = (*numbers, 0)[:2]
        if 0 < bottom <= self._rows:
            return Passed(token)
        return Passed(b"\x1b[%d;%dr" % (max(top, 1), self._rows))

    def _move(self, token: bytes, numbers: list[int]) -> Passed:
        """Limit the cursor to the editor's rows; some programs move far beyond to measure them."""
        if numbers[0] <= self._rows:
            return Passed(token)
        rest = b";%d" % numbers[1] if len(numbers) > 1 else b""
        return Passed(b"\x1b[%d%s%c" % (self._rows, rest, token[-1]))

    @staticmethod
    def _erase(token: bytes, numbers: list[int]) -> Passed:
        return Passed(token, erased=numbers[0] != 1)

    def _switch(self, token: bytes, numbers: list[int]) -> Passed:
        """Drop switches of the alternate screen, which is ours, and of in-band size reports."""
        sets = token.endswith(b"h")
        self._note_modes(set(numbers), sets)
        others = [number for number in numbers if number not in _BLOCKED_MODES]
        clears = sets and not _ALTERNATE.isdisjoint(numbers)
        if len(others) < len(numbers):
            joined = b";".join(b"%d" % number for number in others)
            token = b"\x1b[?%s%c" % (joined, token[-1]) if others else b""
        return Passed(token + (_CLEAR if clears else b""), erased=clears)

    def _note_modes(self, numbers: set[int], sets: bool) -> None:
        for number in sorted(numbers - _BLOCKED_MODES - {_SAVES_CURSOR}):
            self._modes.pop(number, None)  # keep the order in which modes were last set
            self._modes[number] = sets
        if _SAVES_CURSOR in numbers:
            self._saved = sets

    def _note(self, what: bytes, token: bytes) -> Passed:
        self._others[what] = token
        return Passed(token)

    def _save(self, token: bytes, saves: bool) -> Passed:
        """Record a save or restore of the cursor; with margins at the sides, `s` sets those."""
        if not self._modes.get(_SIDES):
            self._saved = saves
        return Passed(token)

    def _keyboard(self, token: bytes, numbers: list[int]) -> Passed:
        """Track the stack of kitty's keyboard flags."""
        if token[2:3] == b">":
            self._keyboards.append(token)
        else:
            del self._keyboards[max(len(self._keyboards) - max(numbers[0], 1), 0) :]
        return Passed(token)

    @staticmethod
    def _ask_mode(token: bytes, numbers: list[int]) -> Passed:
        """Answer that mode 2048, in-band size reports, is unknown: it reports the whole screen."""
        if numbers == [2048]:
            return Passed(reply=b"\x1b[?2048;0$y")
        return Passed(token)

    def _window(self, token: bytes, numbers: list[int]) -> Passed:
        """Answer size queries with the editor's rows; drop changes of the window (XTWINOPS)."""
        what = numbers[0]
        if what == 18:
            return Passed(reply=b"\x1b[8;%d;%dt" % (self._rows, self._columns))
        if what in (3, 4, 8, 9, 10, 14, 15, 19) or what >= 24:
            return Passed()
        return Passed(token)

    def _soft_reset(self, token: bytes) -> Passed:
        self._reset()
        return Passed(token + self._region())

    def _reset(self) -> None:
        self._saved = False
        for number in (_WRAPS, _SHOWS_CURSOR, _SIDES, _UPDATING):
            self._modes.pop(number, None)
