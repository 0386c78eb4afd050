"""Takes what is typed at the terminal, and passes each key to the editor or to the session."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxtutor.core.terminal.keys import PREFIX as PREFIX_KEY
from jaxtutor.core.terminal.keys import InputFilter, Key, Keyboard, Prefix, is_unfinished
from jaxtutor.core.terminal.routing import EDITOR, EVERY_KEY, LEAVING, SIZING, foresee, route
from jaxtutor.session.key_tables import find_key
from jaxtutor.session.messages import KeysPressed, ScreenUpdate

if TYPE_CHECKING:
    from jaxtutor.session.split_pty import SplitPty
    from jaxtutor.session.tty import Terminal


class KeyRouter:
    """The keys of one terminal.

    `send` takes the keys for the session, `suspend` stops the session for the shell, and `grow`
    gives the panel more or fewer rows. `rows` is the editor in the upper rows; None on a page.
    """

    def __init__(
        self,
        prefix: Prefix,
        terminal: Terminal,
        send: Callable[[KeysPressed], None],
        suspend: Callable[[], None],
        grow: Callable[[int], None],
    ) -> None:
        self._prefix = prefix
        self._terminal = terminal
        self._send = send
        self._suspend = suspend
        self._grow = grow
        self._used: tuple[str, ...] = ()  # the keys that the panel uses
        self._sent = 0  # how many messages with keys were sent
        self._foreseen = 0  # the message since which `_used` is what the session will say
        self.use(None)

    def use(self, rows: SplitPty | None) -> None:
        """Route keys for an editor that was opened, which gets the next one, or for a page."""
        self.rows = rows
        self._input_filter = InputFilter(self._prefix, rows.rows if rows else 0)
        self._keyboard = Keyboard()
        self._typed = 0.0
        self._focus = EDITOR

    def note_rows(self) -> None:
        """Note how many rows are the editor's now."""
        self._input_filter.rows = self.rows.rows_for_mouse if self.rows else 0

    def note_update(self, update: ScreenUpdate) -> None:
        """Note which keys the panel uses, unless later keys have changed that already."""
        if update.seen >= self._foreseen:
            self._used = update.keys
        self.note_rows()

    @property
    def timeout(self) -> float | None:
        """The seconds to wait for the rest of an incomplete key sequence, or None."""
        timeout = self._keyboard.timeout
        return None if timeout is None else self._typed + timeout - time.monotonic()

    def settle(self) -> None:
        """Take an incomplete sequence as it is if its rest has not come in time."""
        timeout = self.timeout
        if timeout is not None and timeout <= 0:
            self._take_keys(self._keyboard.settle())

    def take(self) -> bool:
        """Take what was typed; return False if the terminal was closed."""
        data = self._terminal.read()
        if not data:
            return False
        if self.rows is None or self._focus.owner == "panel":
            self._typed = time.monotonic()
            self._take_keys(self._keyboard.feed(data))
        else:
            self._pass_input(self.rows, self._with_rest(data))
        return True

    def _with_rest(self, data: bytes) -> bytes:
        """Wait briefly for the rest of a sequence; a single Escape is passed on at once."""
        while is_unfinished(data) and select.select([self._terminal.keys], [], [], 0.05)[0]:
            rest = self._terminal.read()
            if not rest:
                break
            data += rest
        return data

    def _take_keys(self, keys: list[Key]) -> None:
        """Handle keys for the page or the panel; keys after the panel was left are the editor's.

        Reports of the mouse and answers to queries always go to the editor. Text that is pasted
        while the panel has the keys is dropped.
        """
        rows = self.rows
        if rows is None:
            self._press([key.name for key in keys])
            return
        rest = list(keys)
        while rest and self._focus.owner == "panel":
            key = rest.pop(0)
            if key.is_other and not key.is_paste:
                self._pass_input(rows, key.raw)
            elif key.name:
                self._route(rows, key.name)
        if self._focus.owner == "editor":
            rest += self._keyboard.settle()
            self._pass_input(rows, b"".join(key.raw for key in rest))

    def _press(self, keys: list[str]) -> None:
        if "c-z" in keys:
            self._suspend()
        if others := tuple(key for key in keys if key and key not in ("c-z", PREFIX_KEY)):
            self._send_keys(*others)

    def _pass_input(self, rows: SplitPty, data: bytes) -> None:
        self._input_filter.has_mouse = rows.has_mouse
        split = self._input_filter.split(data)
        if split.editor:
            rows.send(split.editor)
        if split.wheel:
            key = "down" if split.wheel > 0 else "up"
            self._send_keys(*(key,) * 3 * abs(split.wheel))
        for column, row in split.clicks:
            self._click(rows, column, row)
        if split.after is not None:
            self._keyboard = Keyboard(self._prefix)
            self._typed = time.monotonic()
            self._route(rows, PREFIX_KEY)
            self._take_keys(self._keyboard.feed(split.after))

    def _click(self, rows: SplitPty, column: int, row: int) -> None:
        """Press the key whose name in the status line was clicked."""
        key = find_key(rows.status, column, self._prefix.name) if row == rows.status_row else ""
        if key == PREFIX_KEY or (key and self._focus.owner == "panel"):
            self._route(rows, key)

    def _route(self, rows: SplitPty, key: str) -> None:
        """Give a key to the editor or the panel, and note who gets the next one."""
        routed = route(self._focus, key, self._used)
        before, self._focus = self._focus, routed.focus
        if routed.to == "editor":
            rows.send(self._prefix.raw)
        elif key in SIZING and EVERY_KEY not in self._used:
            self._grow(SIZING[key])
        elif routed.focus.owner == "panel" or key in LEAVING:
            self._send_keys(key)
            if (used := foresee(key, self._used)) is not None:
                self._used, self._foreseen = used, self._sent
        if routed.focus.owner == "editor":
            self._send_keys("leave")
        if before.owner != routed.focus.owner:
            rows.focus(routed.focus.owner == "panel")

    def _send_keys(self, *keys: str) -> None:
        self._sent += 1
        self._send(KeysPressed(keys))
