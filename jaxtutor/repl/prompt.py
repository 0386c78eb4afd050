"""Owns the prompt at a terminal: what it looks like, and the loop from one entry to the next."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.cursor_shapes import ModalCursorShapeConfig
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout.processors import (
    ConditionalProcessor,
    HighlightMatchingBracketProcessor,
)
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from jaxtutor.app import App
from jaxtutor.core.repl.transcript import PRELUDE
from jaxtutor.display.theme import visible
from jaxtutor.errors import UsageError
from jaxtutor.repl.completion import CallHelp, Names
from jaxtutor.repl.dispatcher import Dispatcher
from jaxtutor.repl.history import open_history
from jaxtutor.repl.kernel import Kernel
from jaxtutor.repl.keys import make_keys

if TYPE_CHECKING:
    from jaxtutor.repl.lesson_context import LessonContext

# Colours of the terminal's own, so that light and dark backgrounds both work.
STYLE = Style.from_dict(
    {
        "prompt": "bold",
        "continuation": "",
        "pygments.keyword": "bold",
        "pygments.operator.word": "bold",
        "pygments.literal.string": "ansigreen",
        "pygments.literal.number": "ansicyan",
        "pygments.comment": "italic",
        "pygments.name.function": "ansicyan",
        "pygments.name.class": "ansicyan",
        "pygments.name.decorator": "ansimagenta",
        "pygments.name.exception": "ansired",
        "bottom-toolbar": "noreverse",
        "here": "bold underline",
        "completion-menu": "noinherit reverse",
        "completion-menu.completion.current": "noinherit bold",
        "completion-menu.meta.completion": "noinherit reverse",
        "completion-menu.meta.completion.current": "noinherit bold",
    }
)


def converse(
    app: App, kernel: Kernel, desk: Dispatcher, bench: LessonContext | None, keys: str | None
) -> int:
    """Take entries at the terminal until the learner leaves."""
    mode = choose_keys(keys, app.environ)
    front = Prompt(app, kernel, desk, bench, mode)
    front.greet()
    threading.Thread(target=_load_eyes, daemon=True).start()
    while not desk.is_leaving:
        try:
            text = front.read()
        except KeyboardInterrupt:
            front.help.forget()
            continue
        except EOFError:
            break
        desk.enter(text)
        front.help.forget()
    return 0


def _load_eyes() -> None:
    """Load what a failing cell will need, while the first is being typed."""
    from jaxtutor.repl import cell_diagnosis

    del cell_diagnosis


def choose_keys(asked: str | None, environ: Mapping[str, str]) -> EditingMode:
    """Choose how keys edit: as asked, as JAXTUTOR_KEYS says, or as Python's own prompt does."""
    wanted = asked or environ.get("JAXTUTOR_KEYS") or _inputrc(environ) or "emacs"
    modes = {"vi": EditingMode.VI, "emacs": EditingMode.EMACS}
    if wanted not in modes:
        raise UsageError(f"There are no keys {wanted!r}.", "Choose emacs or vi.")
    return modes[wanted]


def _inputrc(environ: Mapping[str, str]) -> str | None:
    """Read the editing mode that was set for readline."""
    place = environ.get("INPUTRC") or str(Path(environ.get("HOME", "/")) / ".inputrc")
    with suppress(OSError, UnicodeDecodeError):
        text = Path(place).read_text(encoding="utf-8")
        found = re.findall(r"^\s*set\s+editing-mode\s+(vi|emacs)\b", text, re.M)
        return found[-1] if found else None
    return None


class Prompt:
    """The prompt, its toolbar, and what is known while keys are pressed."""

    def __init__(
        self,
        app: App,
        kernel: Kernel,
        desk: Dispatcher,
        bench: LessonContext | None,
        mode: EditingMode,
    ) -> None:
        self._app = app
        self._kernel = kernel
        self._desk = desk
        self._bench = bench
        self._is_plain = app.options.plain
        self._has_colour = not app.console.no_color and not self._is_plain
        self.session = self._make_session(mode)
        self.help = CallHelp(kernel, self.session.app.invalidate)
        buffer = self.session.default_buffer
        if not self._is_plain:
            for event in (buffer.on_text_changed, buffer.on_cursor_position_changed):
                event += lambda now: self.help.look(now.document.text_before_cursor)

    def _make_session(self, mode: EditingMode) -> PromptSession[str]:
        from pygments.lexers.python import PythonLexer

        fancy = Condition(lambda: not self._is_plain)
        return PromptSession(
            message=self._prompt,
            prompt_continuation=self._continuation,
            multiline=True,
            editing_mode=mode,
            lexer=PygmentsLexer(PythonLexer) if self._has_colour else None,
            style=STYLE,
            include_default_pygments_style=False,
            color_depth=None if self._has_colour else ColorDepth.DEPTH_1_BIT,
            history=open_history(self._app.workspace, self._app.warn),
            enable_history_search=True,
            completer=Names(self._kernel, self._app.library),
            complete_in_thread=True,
            complete_while_typing=False,
            complete_style=(
                CompleteStyle.READLINE_LIKE if self._is_plain else CompleteStyle.COLUMN
            ),
            key_bindings=make_keys(self._is_plain),
            bottom_toolbar=None if self._is_plain else self._toolbar,
            input_processors=[
                ConditionalProcessor(HighlightMatchingBracketProcessor(chars="()[]{}"), fancy)
            ],
            cursor=ModalCursorShapeConfig() if mode is EditingMode.VI else None,
            enable_open_in_editor=True,
            enable_suspend=True,
            tempfile_suffix=".py",
            reserve_space_for_menu=6,
            refresh_interval=0,
        )

    def _await_worker(self) -> None:
        """Draw the toolbar anew when jax is there."""
        self._kernel.worker.settled.wait()
        self.session.app.invalidate()

    # ------------------------------------------------------------ entries

    def greet(self) -> None:
        """Say where one is, in as few lines as it takes."""
        say = self._desk.say
        say("A JAX prompt. `:help` lists what it can do; Ctrl-D leaves.")
        if self._bench is not None:
            lesson = self._bench.lesson
            say(
                f"Lesson {lesson.number}, {lesson.slug}: the names of its starter and of your file"
                " are here. `:check`, `:hint`, `:save`."
            )
        self._app.console.print(f"1> {PRELUDE}", style="code")

    def read(self) -> str:
        """Read one entry. Raises EOFError and KeyboardInterrupt as the keys ask for it."""
        if not self._kernel.worker.settled.is_set():
            threading.Thread(target=self._await_worker, daemon=True).start()
        return self.session.prompt()

    # ------------------------------------------------------------ what stands around

    def _prompt(self) -> StyleAndTextTuples:
        return [("class:prompt", f"{self._desk.session.next_line}> ")]

    def _continuation(self, width: int, number: int, is_soft_wrap: int) -> StyleAndTextTuples:
        if is_soft_wrap:
            return [("", " " * width)]
        text = f"{self._desk.session.next_line + number}. "
        return [("class:continuation", text.rjust(width))]

    def _toolbar(self) -> StyleAndTextTuples:
        room = self.session.app.output.get_size().columns
        found = self.help.described
        if found is None or self.session.app.layout.is_searching:
            return [("", self._status(room))]
        return _fit(_call_line(found.name, found.parameters, self.help.current), found.says, room)

    def _status(self, room: int) -> str:
        """Say what there is room for, the less needed left out."""
        machine = self._kernel.worker.machine
        if self._kernel.worker.ended:
            jax = "the worker has ended"
        elif machine is None:
            jax = "jax is starting"
        else:
            device = next((d.name for d in machine.devices if d.default), "")
            jax = f"jax {machine.jax} on {device}"
        keys = self._keys()
        lesson = self._bench.lesson.slug if self._bench is not None else ""
        parts = [part for part in (jax, lesson, keys, "Tab completes", ":help") if part]
        while len(parts) > 1 and len("   ".join(parts)) > room:
            parts.pop()
        return visible("   ".join(parts))[:room]

    def _keys(self) -> str:
        app = self.session.app
        if app.editing_mode is EditingMode.EMACS:
            return "emacs"
        return f"vi {app.vi_state.input_mode.value.removeprefix('vi-')}"


def _call_line(name: str, parameters: tuple[str, ...], current: int | None) -> StyleAndTextTuples:
    line: StyleAndTextTuples = [("", visible(name) + "(")]
    for place, text in enumerate(parameters):
        line.append(("", ", " if place else ""))
        line.append(("class:here" if place == current else "", visible(text)))
    return [*line, ("", ")")]


def _fit(line: StyleAndTextTuples, says: str, room: int) -> StyleAndTextTuples:
    """Cut a line of help to the screen, so that what is at the cursor is in view."""
    used = sum(len(part[1]) for part in line)
    if used + 3 + len(says) <= room:
        return [*line, ("", "   " + visible(says))]
    here = next((n for n, part in enumerate(line) if part[0] == "class:here"), 0)
    is_cut = False
    while used + is_cut > room and here > 3:
        used, here, is_cut = used - len(line.pop(2)[1]) - len(line.pop(1)[1]), here - 2, True
    if is_cut:
        line.insert(1, ("", "…"))
    cut: StyleAndTextTuples = []
    for style, text, *_ in line:
        cut.append((style, text[: max(room, 0)]))
        room -= len(text)
    return cut
