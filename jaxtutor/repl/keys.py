"""Binds the keys of the prompt that differ from prompt_toolkit's defaults."""

from __future__ import annotations

from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import DEFAULT_BUFFER, EditingMode
from prompt_toolkit.filters import Condition, emacs_insert_mode, has_focus, vi_insert_mode
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.completion import display_completions_like_readline
from prompt_toolkit.keys import Keys

from jaxtutor.core.repl.cells import (
    INDENT,
    clean_paste,
    dedent_width,
    indent_after,
    runs_on_enter,
)

_inserting = has_focus(DEFAULT_BUFFER) & (emacs_insert_mode | vi_insert_mode)


@Condition
def _at_margin() -> bool:
    """Whether there are only spaces before the cursor on its line."""
    return not get_app().current_buffer.document.current_line_before_cursor.strip()


@Condition
def _has_menu() -> bool:
    return get_app().current_buffer.complete_state is not None


def make_keys(is_plain: bool) -> KeyBindings:
    """Create the bindings; in plain mode, completions are listed instead of shown in a menu."""
    keys = KeyBindings()
    keys.add("enter", filter=_inserting)(_enter)
    keys.add("escape", "enter", filter=has_focus(DEFAULT_BUFFER))(_run)
    keys.add("tab", filter=_inserting & _at_margin & ~_has_menu)(_indent)
    if is_plain:
        keys.add("tab", filter=_inserting & ~_at_margin)(display_completions_like_readline)
    else:
        keys.add("tab", filter=_inserting & (~_at_margin | _has_menu))(_complete)
    keys.add("s-tab", filter=_inserting & ~_has_menu)(_dedent)
    keys.add("backspace", filter=_inserting & ~_has_menu)(_backspace)
    keys.add(Keys.BracketedPaste, filter=_inserting)(_paste)
    keys.add("f4")(_switch)
    return keys


def _enter(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    if buffer.complete_state is not None and buffer.complete_state.current_completion is not None:
        buffer.complete_state = None
    elif runs_on_enter(buffer.text, buffer.cursor_position):
        _run(event)
    else:
        buffer.insert_text("\n" + indent_after(buffer.document.text_before_cursor))


def _run(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    buffer.complete_state = None
    buffer.cursor_position = len(buffer.text)
    buffer.validate_and_handle()


def _indent(event: KeyPressEvent) -> None:
    column = event.current_buffer.document.cursor_position_col
    event.current_buffer.insert_text(" " * (INDENT - column % INDENT))


def _dedent(event: KeyPressEvent) -> None:
    """Remove one level of indentation, wherever in the line the cursor is."""
    buffer = event.current_buffer
    line = buffer.document.current_line
    spaces = min(INDENT, len(line) - len(line.lstrip(" ")))
    start = buffer.cursor_position - buffer.document.cursor_position_col
    text = buffer.text[:start] + buffer.text[start + spaces :]
    buffer.set_document(type(buffer.document)(text, max(start, buffer.cursor_position - spaces)))


def _complete(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    if buffer.complete_state is not None:
        buffer.complete_next()
    else:
        buffer.start_completion(insert_common_part=True)


def _backspace(event: KeyPressEvent) -> None:
    buffer = event.current_buffer
    if buffer.selection_state is not None:
        buffer.cut_selection()
        return
    width = dedent_width(buffer.document.text_before_cursor) * max(event.arg, 1)
    if not buffer.delete_before_cursor(width):
        event.app.output.bell()


def _paste(event: KeyPressEvent) -> None:
    """Insert pasted text; several lines are stripped of other prompts' markers."""
    data = event.data.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in data.strip("\n") or data.lstrip().startswith(">>>"):
        data = _fitted(event.current_buffer, clean_paste(data).strip("\n"))
    event.current_buffer.insert_text(data)


def _fitted(buffer: Buffer, text: str) -> str:
    """Indent pasted lines like the line they are pasted into."""
    before = buffer.document.current_line_before_cursor
    margin = before if not before.strip() else ""
    return text.replace("\n", "\n" + margin)


def _switch(event: KeyPressEvent) -> None:
    is_vi = event.app.editing_mode is EditingMode.VI
    event.app.editing_mode = EditingMode.EMACS if is_vi else EditingMode.VI
