"""Tracks which rows of an editor's screen are empty, from the output that the terminal gets.

This is not an emulator: a cell is blank, a tilde, or something else, and colours are ignored. An
error here only changes how many rows the panel borrows, never what is on the screen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from jaxtutor.core.terminal.output_filter import read_number

_TOKEN = re.compile(
    rb"""
      \x1b\[ (?P<private>[<-?]?) (?P<numbers>[0-9;:]*) (?P<between>[ -/]*) (?P<final>[@-~])
    | \x1b [\]PX^_] .*? (?: \x07 | \x1b\\ )
    | \x1b (?P<escape>[ -/]*[0-~])
    | (?P<control>[\x00-\x1f\x7f])
    | (?P<text>[^\x00-\x1f\x7f]+)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
BLANK, TILDE, OTHER = 0, 1, 2
_KINDS = bytes({0x20: BLANK, 0x7E: TILDE}.get(byte, OTHER) for byte in range(256))
STATUS_ROWS = 3
"""Rows that an editor may use below its text, without the last one: nano has two lines of keys and
a line for messages."""


class RowModel:
    """The rows of one editor's screen, and where its cursor is."""

    def __init__(self, rows: int, columns: int) -> None:
        self.resize(rows, columns)

    def resize(self, rows: int, columns: int) -> None:
        """Set another size, and forget what was drawn."""
        self._columns = columns
        self._cells = [bytearray(columns) for _ in range(rows)]
        self._row = self._column = 0
        self._top, self._bottom = 0, rows - 1
        self._saved = (0, 0)
        self._wraps = True
        self._last = b""  # the kind of the last cell written, for REP

    @property
    def empty(self) -> int:
        """Count the empty rows below the text: blank ones, or with the `~` of vim and kakoune.

        The last row of the screen does not count, as editors show messages there, and neither does
        an empty line in which the cursor is.
        """
        above = list(map(_is_empty, self._cells[:-1]))
        used = 0
        while above and not above[-1] and used < STATUS_ROWS:
            above.pop()
            used += 1
        count = 0
        while above and above.pop() and self._row != len(above):
            count += 1
        return count

    def feed(self, data: bytes) -> None:
        """Follow a chunk of output that ends between sequences."""
        for match in _TOKEN.finditer(data):
            if match["text"]:
                self._write(match["text"])
            elif match["control"]:
                self._control(match["control"])
            elif match["final"] and not match["between"]:
                self._sequence(match["private"], match["numbers"], match["final"])
            elif match["escape"]:
                self._escape(match["escape"])

    # ------------------------------------------------------------ text

    def _write(self, text: bytes) -> None:
        is_plain = text.isascii()
        kinds = text.translate(_KINDS) if is_plain else _measure(text.decode("utf-8", "replace"))
        self._last = kinds[-1:]
        self._put(kinds)

    def _put(self, kinds: bytes) -> None:
        while kinds:
            if self._column >= self._columns:
                if not self._wraps:
                    return
                self._column = 0
                self._index()
            part = kinds[: self._columns - self._column]
            self._cells[self._row][self._column : self._column + len(part)] = part
            self._column += len(part)
            kinds = kinds[len(part) :]

    def _control(self, byte: bytes) -> None:
        match byte:
            case b"\r":
                self._column = 0
            case b"\n" | b"\x0b" | b"\x0c":
                self._index()
            case b"\b":
                self._column = max(self._column - 1, 0)
            case b"\t":
                self._column = min((self._column // 8 + 1) * 8, self._columns - 1)

    def _index(self) -> None:
        """Move down one row; at the lower margin, scroll up."""
        if self._row == self._bottom:
            self._delete(self._top, 1)
        else:
            self._row = min(self._row + 1, len(self._cells) - 1)

    def _escape(self, final: bytes) -> None:
        match final:
            case b"7":
                self._saved = (self._row, self._column)
            case b"8":
                self._row, self._column = self._saved
            case b"D":
                self._index()
            case b"E":
                self._column = 0
                self._index()
            case b"M" if self._row == self._top:
                self._insert(self._top, 1)
            case b"M":
                self._row = max(self._row - 1, 0)

    # ------------------------------------------------------------ control sequences

    def _sequence(self, private: bytes, parameters: bytes, final: bytes) -> None:
        numbers = list(map(read_number, parameters.split(b";")))
        if private:
            if private == b"?" and final in b"hl" and 7 in numbers:
                self._wraps = final == b"h"
            return
        count = max(numbers[0], 1)
        if final in b"ABCDEFG`dHf":
            self._jump(final, count, max((*numbers, 1)[1], 1))
        elif final in b"JK":
            (self._erase_rows if final == b"J" else self._erase)(numbers[0])
        elif final in b"LM":
            self._change_lines(self._insert if final == b"L" else self._delete, count)
        elif final in b"ST":
            (self._delete if final == b"S" else self._insert)(self._top, count)
        elif final in b"@P":
            self._shift(count if final == b"@" else -count)
        elif final in b"su":
            self._escape(b"7" if final == b"s" else b"8")
        elif final == b"X":
            self._blank(self._column, self._column + count)
        elif final == b"b":
            self._put(self._last * min(count, self._columns))
        elif final == b"r":
            self._margins(*(*numbers, 0)[:2])

    def _jump(self, final: bytes, count: int, column: int) -> None:
        row, here = self._row, self._column
        match final:
            case b"H" | b"f":
                self._move(count - 1, column - 1)
            case b"A" | b"B":
                self._move(row - count if final == b"A" else row + count, here)
            case b"C" | b"D":
                self._move(row, here + count if final == b"C" else here - count)
            case b"E" | b"F":
                self._move(row + count if final == b"E" else row - count, 0)
            case b"d":
                self._move(count - 1, here)
            case _:
                self._move(row, count - 1)

    def _move(self, row: int, column: int) -> None:
        self._row = min(max(row, 0), len(self._cells) - 1)
        self._column = min(max(column, 0), self._columns - 1)

    def _margins(self, top: int, bottom: int) -> None:
        last = len(self._cells)
        self._top, self._bottom = max(top, 1) - 1, min(bottom or last, last) - 1
        self._row = self._column = 0

    def _blank(self, start: int, end: int) -> None:
        end = min(end, self._columns)
        self._cells[self._row][start:end] = bytes(max(end - start, 0))

    def _erase(self, what: int) -> None:
        start = self._column if what == 0 else 0
        self._blank(start, self._column + 1 if what == 1 else self._columns)

    def _erase_rows(self, what: int) -> None:
        rows = range(len(self._cells))
        others = {0: rows[self._row + 1 :], 1: rows[: self._row]}.get(what, rows)
        for row in others:
            self._cells[row][:] = bytes(self._columns)
        if what in (0, 1):
            self._erase(what)

    def _shift(self, count: int) -> None:
        """Insert blank cells at the cursor, or with a negative count delete cells there."""
        cells, column = self._cells[self._row], self._column
        kept = bytes(count) + cells[column:] if count > 0 else cells[column - count :]
        cells[column:] = kept[: self._columns - column].ljust(self._columns - column, b"\0")

    def _change_lines(self, change: Callable[[int, int], None], count: int) -> None:
        """Insert or delete lines at the cursor, which moves to the first column (IL, DL)."""
        if self._top <= self._row <= self._bottom:
            change(self._row, count)
            self._column = 0

    def _insert(self, row: int, count: int) -> None:
        """Insert blank rows between a row and the lower margin."""
        if self._top <= row <= self._bottom:
            count = min(count, self._bottom - row + 1)
            del self._cells[self._bottom - count + 1 : self._bottom + 1]
            self._cells[row:row] = [bytearray(self._columns) for _ in range(count)]

    def _delete(self, row: int, count: int) -> None:
        """Delete rows between a row and the lower margin."""
        if self._top <= row <= self._bottom:
            count = min(count, self._bottom - row + 1)
            blank = [bytearray(self._columns) for _ in range(count)]
            self._cells[self._bottom + 1 : self._bottom + 1] = blank
            del self._cells[row : row + count]


def _is_empty(cells: bytearray) -> bool:
    return cells.strip(b"\0") in (b"", bytes([TILDE]))


def _measure(text: str) -> bytes:
    """Return the kinds of the cells of a text; some characters take two cells, some none."""
    kinds = bytearray()
    for character in text:
        if unicodedata.combining(character):
            continue
        kind = {" ": BLANK, "~": TILDE}.get(character, OTHER)
        wide = unicodedata.east_asian_width(character) in "WF"
        kinds += bytes([kind] * (2 if wide else 1))
    return bytes(kinds)
