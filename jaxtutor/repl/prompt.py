"""Runs the prompt at a terminal: its appearance, and the loop that reads entries."""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
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
from jaxtutor.repl.interrupts import handled_by, ignore
from jaxtutor.repl.kernel import Kernel
from jaxtutor.repl.keys import make_keys
from jaxtutor.repl.terminal_guard import guarding

if TYPE_CHECKING:
    from jaxtutor.repl.lesson_context import LessonContext

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

# Only the terminal's own colours, so that light and dark backgrounds both work.
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


def run_prompt(
    app: App,
    kernel: Kernel,
    dispatcher: Dispatcher,
    context: LessonContext | None,
    keys: str | None,
) -> int:
    """Read and run entries until the learner leaves."""
    mode = choose_keys(keys, app.environ)
    prompt = Prompt(app, kernel, dispatcher, context, mode)
    prompt.greet()
    threading.Thread(target=_import_diagnosis, daemon=True).start()
    with guarding(sys.stdout.fileno()), handled_by(ignore):
        _read_entries(prompt, dispatcher)
    return 0


def _read_entries(prompt: Prompt, dispatcher: Dispatcher) -> None:
    while not dispatcher.is_leaving:
        try:
            text = prompt.read()
        except KeyboardInterrupt:
            prompt.help.clear()
            continue
        except EOFError:
            break
        dispatcher.enter(text)
        prompt.help.clear()


def _import_diagnosis() -> None:
    """Import what a failing cell will need, while the first cell is typed."""
    from jaxtutor.repl import cell_diagnosis

    del cell_diagnosis


def choose_keys(requested: str | None, environ: Mapping[str, str]) -> EditingMode:
    """Choose key bindings: those requested, readline's setting, or emacs."""
    mode = requested or _inputrc(environ) or "emacs"
    modes = {"vi": EditingMode.VI, "emacs": EditingMode.EMACS}
    if mode not in modes:
        raise UsageError(f"Invalid key bindings {mode!r}.", "Choose emacs or vi.")
    return modes[mode]


def _inputrc(environ: Mapping[str, str]) -> str | None:
    """Return the editing mode set for readline (INPUTRC, readline(3))."""
    path = environ.get("INPUTRC") or str(Path(environ.get("HOME", "/")) / ".inputrc")
    with suppress(OSError, UnicodeDecodeError):
        text = Path(path).read_text(encoding="utf-8")
        found = re.findall(r"^\s*set\s+editing-mode\s+(vi|emacs)\b", text, re.M)
        return found[-1] if found else None
    return None


class SignalEnd:
    """Ends the prompt on a signal that ends the process, in the way that Ctrl-D does.

    An exception in a signal's handler would end asyncio's loop, and what prompt_toolkit waits for
    at its end might never come.
    """

    def __init__(self, app: Application[str]) -> None:
        self._app = app
        self._number = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Handle these signals in the block; call their own handler after it."""
        before = {it: signal.getsignal(it) for it in ENDING}
        handlers = {it: handler for it, handler in before.items() if callable(handler)}
        for number in handlers:
            signal.signal(number, self._note)
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            if self._number:
                handlers[signal.Signals(self._number)](self._number, None)

    def end_prompt(self) -> None:
        """End the prompt if a signal came. The loop calls it, and the prompt when it has begun."""
        if self._number and self._app.is_running and not self._app.is_done:
            self._app.exit(exception=EOFError)

    def _note(self, number: int, _: object) -> None:
        self._number = self._number or number
        if self._app.loop is not None:
            self._app.loop.call_soon_threadsafe(self.end_prompt)


class Prompt:
    """The prompt with its toolbar."""

    def __init__(
        self,
        app: App,
        kernel: Kernel,
        dispatcher: Dispatcher,
        context: LessonContext | None,
        mode: EditingMode,
    ) -> None:
        self._app = app
        self._kernel = kernel
        self._dispatcher = dispatcher
        self._context = context
        self._is_plain = app.options.plain
        self._has_colour = not app.console.no_color and not self._is_plain
        self.session = self._make_session(mode)
        self.help = CallHelp(kernel, self.session.app.invalidate)
        buffer = self.session.default_buffer
        if not self._is_plain:
            for event in (buffer.on_text_changed, buffer.on_cursor_position_changed):
                event += lambda now: self.help.update(now.document.text_before_cursor)

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
        """Redraw the toolbar when jax has started."""
        self._kernel.worker.settled.wait()
        self.session.app.invalidate()

    # ------------------------------------------------------------ entries

    def greet(self) -> None:
        """Print the greeting."""
        show = self._dispatcher.print_message
        show("A JAX prompt. `:help` lists its commands; Ctrl-D leaves.")
        if self._context is not None:
            lesson = self._context.lesson
            show(
                f"Lesson {lesson.number}, {lesson.slug}: the names of its starter and of your file"
                " are loaded. Commands: `:check`, `:hint`, `:save`."
            )
        self._app.console.print(f"1> {PRELUDE}", style="code")

    def read(self) -> str:
        """Read one entry. Raises EOFError on Ctrl-D and KeyboardInterrupt on Ctrl-C."""
        if not self._kernel.worker.settled.is_set():
            threading.Thread(target=self._await_worker, daemon=True).start()
        ending = SignalEnd(self.session.app)
        with ending.held():
            return self.session.prompt(pre_run=ending.end_prompt)

    # ------------------------------------------------------------ around the entry

    def _prompt(self) -> StyleAndTextTuples:
        return [("class:prompt", f"{self._dispatcher.session.next_line}> ")]

    def _continuation(self, width: int, number: int, is_soft_wrap: int) -> StyleAndTextTuples:
        if is_soft_wrap:
            return [("", " " * width)]
        text = f"{self._dispatcher.session.next_line + number}. "
        return [("class:continuation", text.rjust(width))]

    def _toolbar(self) -> StyleAndTextTuples:
        room = self.session.app.output.get_size().columns
        found = self.help.described
        if found is None or self.session.app.layout.is_searching:
            return [("", self._status(room))]
        return _fit(_call_line(found.name, found.parameters, self.help.current), found.says, room)

    def _status(self, room: int) -> str:
        """Return the status line; the least important parts are left out if space is short."""
        machine = self._kernel.worker.machine
        if self._kernel.worker.ended:
            jax = "the worker has ended"
        elif machine is None:
            jax = "jax is starting"
        else:
            device = next((d.name for d in machine.devices if d.default), "")
            jax = f"jax {machine.jax} on {device}"
        keys = self._keys()
        lesson = self._context.lesson.slug if self._context is not None else ""
        parts = [part for part in (jax, lesson, keys, "Tab completes", ":help") if part]
        while len(parts) > 1 and len("   ".join(parts)) > room:
            parts.pop()
        return visible("   ".join(parts))[:room]

    def _keys(self) -> str:
        app = self.session.app
        if app.editing_mode is EditingMode.EMACS:
            return "emacs keys"
        return f"vi {app.vi_state.input_mode.value.removeprefix('vi-')}"


def _call_line(name: str, parameters: tuple[str, ...], current: int | None) -> StyleAndTextTuples:
    line: StyleAndTextTuples = [("", visible(name) + "(")]
    for index, text in enumerate(parameters):
        line.append(("", ", " if index else ""))
        line.append(("class:here" if index == current else "", visible(text)))
    return [*line, ("", ")")]


def _fit(line: StyleAndTextTuples, says: str, room: int) -> StyleAndTextTuples:
    """Cut a signature to the screen, keeping the parameter at the cursor visible."""
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
