"""Prints pages, output, diagnoses and the prompt's own sentences."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.repl.messages import Page, PageStyle
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible

WIDEST = 120


class Drawing:
    """Prints on one console."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._is_midline = False

    @property
    def look(self) -> PageStyle:
        """The style of pages for this screen, with its current width."""
        console = self._app.console
        plain = self._app.options.plain or not console.is_terminal
        width = min(console.width, WIDEST)
        return PageStyle(width, plain, ascii=not _can_show_blocks(console.encoding))

    def printed(self, text: str) -> None:
        """Pass on a cell's output, with control characters made visible."""
        is_terminal = self._app.console.is_terminal
        stream = self._app.stdout
        pieces = text.replace("\r\n", "\n").split("\r")
        shown = ("\r" if is_terminal else "\n").join(map(visible, pieces))
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(shown.encode(encoding, "replace").decode(encoding))
        stream.flush()
        self._is_midline = not shown.endswith("\n")

    def note_key(self) -> None:
        """Note that the terminal has echoed `^C`, so the line is not empty."""
        self._is_midline = self._is_midline or self._app.console.is_terminal

    def end_line(self) -> None:
        """Start a new line if the last output did not end one."""
        if self._is_midline:
            self._app.stdout.write("\n")
            self._is_midline = False

    def page(self, page: Page) -> None:
        """Print a page."""
        self.end_line()
        for line in page:
            text = Text(overflow="fold")
            for piece, style in line:
                text.append(visible(piece), style=style or None)
            self._app.console.print(text)

    def print_message(self, text: str, style: str = "quiet") -> None:
        """Print a sentence of the prompt's own; code is between backticks."""
        self.end_line()
        prose = self._app.renderer.prose(visible(text))
        prose.style = style
        self._app.console.print(prose, width=self._app.renderer.width)

    def parts(self, parts: Iterator[RenderableType]) -> None:
        """Print renderables."""
        self.end_line()
        for part in parts:
            self._app.console.print(part, width=self._app.renderer.width)

    # ------------------------------------------------------------ errors and findings

    def failure(
        self, failure: Failure, found: Diagnosis | None, session: Transcript, source: str
    ) -> None:
        """Print what a cell raised: the class, then the diagnosis or the message."""
        marks = self._app.marks
        self.end_line()
        self._app.console.print(Text(f"{marks.failed} {failure.error_class}", style="failed"))
        if found is None:
            self._app.console.print(Text(visible(failure.message), overflow="fold"))
            return
        self.parts(self._one(found, session, source))
        message, is_said = failure.message.partition("\n")[0], found.cause is not None
        if not is_said and failure.module.startswith("jax") and message not in found.summary:
            self.print_message("Message from JAX:")
            self.print_message("  " + message)

    def findings(self, found: Sequence[tuple[Diagnosis, str]], session: Transcript) -> None:
        """Print what a cell silently did wrong."""
        for finding, source in found:
            costs, bug = "takes more time or memory than it has to", "likely has a silent bug"
            but = costs if finding.costs else bug
            head = f"{self._app.marks.here} Ran without errors, but {but}"
            self.end_line()
            self._app.console.print(Text(head, style="mark", overflow="fold"))
            self.parts(self._one(finding, session, source))

    def _one(self, found: Diagnosis, session: Transcript, source: str) -> Iterator[RenderableType]:
        around = 2
        if found.file == FILE:
            around = 0
            cell = session.cell_at(found.span.line) if found.span else None
            source = session.text()
            if cell is not None and found.span is not None:
                around = min(2, found.span.line - cell.line)
                source = "\n".join(source.split("\n")[: cell.last])
        else:
            yield Text(f"In {relative(Path(found.file))}", style="quiet")
        yield from _trimmed(self._app.renderer.diagnosis(found, source, around))

    def why(self, failure: Failure, found: Diagnosis | None, sources: dict[str, str]) -> None:
        """Print an error in detail: each call, the origin of the value, the names in JAX."""
        self._app.console.print(Text(failure.error_class, style="failed"))
        for line in failure.message.split("\n"):
            self._app.console.print(Text("  " + visible(line), overflow="fold"))
        if failure.frames:
            self.print_message("Calls, outermost first", "title")
        for frame in failure.frames:
            position = f"line {frame.span.line}"
            if frame.file != FILE:
                position += f" of {relative(Path(frame.file))}"
            function = "" if frame.function.startswith("<") else f" in `{frame.function}`"
            self.print_message(f"{position}{function}")
            self.parts(self._app.renderer.excerpt(sources.get(frame.file, ""), frame.span, 0))
        if failure.jax_frames:
            self.print_message("In JAX: " + " → ".join(failure.jax_frames[:6]))
        if failure.origin:
            self.print_message("Where the value came from", "title")
        for number, step in enumerate(failure.origin):
            where = line_text(step.span, step.file, FILE) if step.span else ""
            role = "argument" if number == 0 else ""
            tail = ", ".join(part for part in (where, role) if part)
            self.page(
                (
                    (
                        (f"  {step.expression}", "code"),
                        (f"  {step.aval}", ""),
                        (f"  {tail}", "quiet"),
                    ),
                )
            )
        if found is not None and found.advice:
            self.print_message("What to do", "title")
            self.print_message(found.advice, "")
        if found is not None and found.cause:
            self.print_message(f"More: `:explain {found.cause}`")


def _trimmed(parts: Iterator[RenderableType]) -> Iterator[RenderableType]:
    """Remove repeated blank lines, and blank lines at the end."""
    held: list[RenderableType] = []
    for part in parts:
        if isinstance(part, Text) and not part.plain:
            held = [part]
            continue
        yield from held
        held = []
        yield part


def _can_show_blocks(encoding: str | None) -> bool:
    try:
        "▁█…".encode(encoding or sys.getdefaultencoding())
    except (UnicodeEncodeError, LookupError):
        return False
    return True
