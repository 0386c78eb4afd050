"""Shows a list in the terminal to choose from, with the cursor on one line."""

from __future__ import annotations

from collections.abc import Mapping

from prompt_toolkit import Application
from prompt_toolkit.application import get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth
from rich.cells import set_cell_size

from jaxtutor.core.terminal.chooser import LEAVE_HELP, Chooser, press, status_text, visible_range
from jaxtutor.display.theme import visible

_NAMED = (
    (Keys.ControlM, "enter"),
    (Keys.ControlJ, "enter"),
    (Keys.ControlH, "backspace"),
    (Keys.ControlC, "c-c"),
    (Keys.ControlD, "c-d"),
    (Keys.ControlN, "c-n"),
    (Keys.ControlP, "c-p"),
    (Keys.Escape, "escape"),
    (Keys.Up, "up"),
    (Keys.Down, "down"),
    (Keys.Home, "home"),
    (Keys.End, "end"),
    (Keys.PageUp, "pageup"),
    (Keys.PageDown, "pagedown"),
)
NAMES: Mapping[str, str] = {" ": "space", **{key.value: name for key, name in _NAMED}}
"""The names that `core.terminal.chooser` uses for keys of prompt_toolkit."""
ESCAPE_SECONDS = 0.05
"""A terminal sends a sequence at once, so an ESC followed by nothing is the Escape key."""


def choose(title: str, chooser: Chooser) -> str | None:
    """Return the key of the entry that the person chooses; None if they leave the list."""
    return _ListView(title, chooser).run()


class _ListView:
    """A list below the shell's prompt; it is erased at the end."""

    def __init__(self, title: str, chooser: Chooser) -> None:
        self._title = title
        self._chooser = chooser
        keys = KeyBindings()
        for key in (Keys.Any, *(key for key, _ in _NAMED)):
            keys.add(key)(self._press)
        self._application: Application[str | None] = Application(
            Layout(Window(FormattedTextControl(self._draw, show_cursor=False))),
            key_bindings=keys,
            full_screen=True,
            color_depth=ColorDepth.DEPTH_1_BIT,  # the cursor is reversed, which needs no colour
        )
        self._application.ttimeoutlen = ESCAPE_SECONDS
        self._application.timeoutlen = ESCAPE_SECONDS

    def run(self) -> str | None:
        return self._application.run()

    def _rows(self) -> int:
        return max(get_app().output.get_size().rows - 2, 1)

    def _press(self, event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        key = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
        name = NAMES.get(key, pressed.data)
        self._chooser = press(self._chooser, name, self._rows())
        if self._chooser.is_over:
            event.app.exit(result=self._chooser.chosen)

    @property
    def _leave(self) -> str:
        return "" if self._chooser.pattern or self._chooser.is_typing else LEAVE_HELP

    def _draw(self) -> StyleAndTextTuples:
        columns = get_app().output.get_size().columns
        first, end = visible_range(self._chooser, self._rows())
        current, shown = self._chooser.current, self._chooser.shown
        lines: StyleAndTextTuples = [("bold", _fit(self._title, columns) + "\n")]
        for item in shown[first:end]:
            style = "reverse" if item is current else ""
            lines.append((style, _fit(visible(item.line), columns)))
            lines.append(("", "\n"))
        if not shown:
            lines.append(("", "Nothing matches.\n"))
        lines += [("", "\n")] * (self._rows() - max(end - first, 1))
        lines.append(("reverse", _fit(status_text(self._chooser) + self._leave, columns)))
        return lines


def _fit(text: str, columns: int) -> str:
    return set_cell_size(text, max(columns - 1, 1))
