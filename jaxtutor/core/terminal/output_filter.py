"""Owns what an editor writes to a terminal of which it has the upper rows only.

The bytes pass nearly untouched. A few sequences would reach the rows below: those are held to the
editor's rows, and the panel is painted again in the same write after an erase.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

HELD = 1 << 20
"""How many bytes of one unfinished sequence are held back; a longer one is no sequence."""

_TOKEN = re.compile(
    rb"""
      [^\x1b]+                                                    # text and controls
    | \x1b\[ [\x00-\x17\x19\x1c-?]* (?: [@-~] | [\x18\x1a\x7f] | (?=[\x1b\x80-\xff]) )
    | \x1b\] [^\x07\x18\x1a\x1b]* (?: [\x07\x18\x1a] | \x1b\\ | (?=\x1b[^\\]) )
    | \x1b[X^_] [^\x18\x1a\x1b]* (?: [\x18\x1a] | \x1b\\ | (?=\x1b[^\\]) )
    | \x1bP (?: [^\x18\x1a\x1b] | \x1b[^\\] )* (?: [\x18\x1a] | \x1b\\ )  # may carry sequences
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
_KEPT_BACK = _ALTERNATE | {3, 2048}
_WRAPS, _SHOWS_CURSOR, _SIDES, _UPDATING, _SAVES_CURSOR = 7, 25, 69, 2026, 1048
_CLEAR = b"\x1b[2J"

LEAVE = (
    b"\x1b[r"  # the whole screen scrolls
    b"\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l"  # mouse
    b"\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    b"\x1b[?2004l\x1b[?1004l\x1b[?2026l\x1b[?2031l"  # paste, focus, updates, colour scheme
    b"\x1b[?5l\x1b[?69l\x1b[?6l\x1b[?7h\x1b[?1l\x1b>"  # ground, margins, origin, wrapping, keypad
    b"\x1b[>4;m\x1b[<99u"  # how keys are reported, of all that was put on one another
    b"\x1b[4l\x0f\x1b(B\x1b[0m\x1b[0 q\x1b[?12l\x1b[?25h"  # insertion, letters, colours, cursor
)
"""Puts back every mode that an editor may have left."""


def read_number(digits: bytes) -> int:
    """Read a number of a sequence, 0 for none; beyond a billion terminals do not count either."""
    return int(digits.lstrip(b"0")[:10] or b"0") if digits.isdigit() else 0


class Passed(Struct, frozen=True):
    """What an editor's output became.

    `output` is for the terminal and ends between sequences; `reply` is for the editor. `erased`
    says that the rows below must be painted again in the same write.
    """

    output: bytes = b""
    reply: bytes = b""
    erased: bool = False


class Filter:
    """Holds one editor's output to the upper rows of a terminal."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows = rows
        self._columns = columns
        self._held = b""
        self._saved = False
        self._modes: dict[int, bool] = {}
        self._others: dict[bytes, bytes] = {}  # by what they set, what set it last
        self._keyboards: list[bytes] = []

    @property
    def is_quiet(self) -> bool:
        """Tell whether something may be painted now: not inside a sequence or an update."""
        return self.may_repaint and not (self._held or self._modes.get(_UPDATING))

    @property
    def may_repaint(self) -> bool:
        """Tell whether an erase may be followed by a painting at once."""
        return self.can_paint and not self._saved

    @property
    def can_paint(self) -> bool:
        """Tell whether a painting would be whole: not between margins left and right.

        Terminals save one cursor only. A painting between an editor's saving and restoring it
        would have the editor go on in another place.
        """
        return not self._modes.get(_SIDES)

    def resize(self, rows: int, columns: int) -> bytes:
        """Take another size; return what the terminal must be sent for it."""
        self._rows, self._columns = rows, columns
        return self._region()

    def modes(self) -> bytes:
        """Return what sets every mode that the editor has set, on a terminal that was reset."""
        modes = (b"\x1b[?%d%c" % (mode, b"lh"[on]) for mode, on in self._modes.items())
        return b"".join((*modes, *self._others.values(), *self._keyboards))

    def feed(self, data: bytes) -> Passed:
        """Take some output; what is unfinished is held back for the next time."""
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

    def paint(self, lines: Mapping[int, bytes]) -> bytes:
        """Return what sets these lines, by their row from 1, and leaves no other trace."""
        body = b"".join(b"\x1b[%d;1H\x1b[0m\x1b[K%b" % item for item in lines.items())
        return b"".join(
            (
                b"\x1b7\x1b[?25l\x1b[?6l\x1b[?7l\x0f\x1b(B",
                body,
                b"\x1b[0m",
                b"\x1b[?7h" if self._modes.get(_WRAPS, True) else b"",
                b"\x1b8",
                b"\x1b[?25h" if self._modes.get(_SHOWS_CURSOR, True) else b"",
            )
        )

    def _region(self) -> bytes:
        return b"\x1b[1;%dr" % self._rows

    # ------------------------------------------------------------ one token

    def _pass(self, token: bytes) -> Passed:
        if token[0] != 0x1B:
            return Passed(token)
        if not _WHOLE.fullmatch(token):
            return Passed()  # broken off: it does nothing
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
        """Hold the scrolled rows to the editor's: without numbers they would be the screen's."""
        top, bottom = (*numbers, 0)[:2]
        if 0 < bottom <= self._rows:
            return Passed(token)
        return Passed(b"\x1b[%d;%dr" % (max(top, 1), self._rows))

    def _move(self, token: bytes, numbers: list[int]) -> Passed:
        """Hold the cursor to the editor's rows: a probe for the size goes far beyond."""
        if numbers[0] <= self._rows:
            return Passed(token)
        rest = b";%d" % numbers[1] if len(numbers) > 1 else b""
        return Passed(b"\x1b[%d%s%c" % (self._rows, rest, token[-1]))

    @staticmethod
    def _erase(token: bytes, numbers: list[int]) -> Passed:
        return Passed(token, erased=numbers[0] != 1)

    def _switch(self, token: bytes, numbers: list[int]) -> Passed:
        """Keep the alternate screen ours, and reports of the whole screen's size unasked."""
        sets = token.endswith(b"h")
        self._note_modes(set(numbers), sets)
        others = [number for number in numbers if number not in _KEPT_BACK]
        clears = sets and not _ALTERNATE.isdisjoint(numbers)
        if len(others) < len(numbers):
            joined = b";".join(b"%d" % number for number in others)
            token = b"\x1b[?%s%c" % (joined, token[-1]) if others else b""
        return Passed(token + (_CLEAR if clears else b""), erased=clears)

    def _note_modes(self, numbers: set[int], sets: bool) -> None:
        for number in sorted(numbers - _KEPT_BACK - {_SAVES_CURSOR}):
            self._modes.pop(number, None)  # the last to be set is to be the last of them
            self._modes[number] = sets
        if _SAVES_CURSOR in numbers:
            self._saved = sets

    def _note(self, what: bytes, token: bytes) -> Passed:
        self._others[what] = token
        return Passed(token)

    def _save(self, token: bytes, saves: bool) -> Passed:
        """Note that the cursor is saved or restored; with margins at the sides `s` sets those."""
        if not self._modes.get(_SIDES):
            self._saved = saves
        return Passed(token)

    def _keyboard(self, token: bytes, numbers: list[int]) -> Passed:
        """Keep the ways of reporting keys that are in force, as they were put on one another."""
        if token[2:3] == b">":
            self._keyboards.append(token)
        else:
            del self._keyboards[max(len(self._keyboards) - max(numbers[0], 1), 0) :]
        return Passed(token)

    @staticmethod
    def _ask_mode(token: bytes, numbers: list[int]) -> Passed:
        """Say of reports in band that they are unknown here: they would tell the whole size."""
        if numbers == [2048]:
            return Passed(reply=b"\x1b[?2048;0$y")
        return Passed(token)

    def _window(self, token: bytes, numbers: list[int]) -> Passed:
        """Answer for the editor's rows; the window itself is not the editor's to change."""
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
