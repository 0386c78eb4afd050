"""Diagnoses cells in IPython and notebooks, after `%load_ext jaxtutor`.

A failing cell gets one output with its diagnosis, above the traceback. After `%jaxtutor on`, cells
that run are watched for mistakes that raise nothing; `%%diagnose` does it for one cell. `%jaxtutor
fix` tries the suggested edit in a copy of the session, and offers the corrected cell.
"""

from __future__ import annotations

import itertools
import linecache
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any

from jaxtutor.core.addresses import page_address
from jaxtutor.core.diagnosis.engine.cells import displayed_place
from jaxtutor.core.diagnosis.engine.reported import Reported
from jaxtutor.diagnosis import Diagnosis, diagnose, explain, follow_edits, is_cell, keep_frames
from jaxtutor.integrations import session_copy

OUTDATED = (
    "{file} has changed since it was loaded: what it does was not diagnosed. Load it again"
    " (`importlib.reload`)."
)
MAGIC = "%%diagnose"
ONLY_MAGIC = f"{MAGIC} must be the only `%%` magic of its cell."
USAGE = "Use: %jaxtutor on, %jaxtutor off, %jaxtutor fix, or %jaxtutor explain NAME"


def whole_cell_magics(cell: str) -> list[str]:
    """Return the names of the magics that a cell begins with: `%%time`, `%%diagnose`."""
    lines = cell.lstrip().splitlines()
    return [line.split()[0] for line in itertools.takewhile(lambda it: it[:2] == "%%", lines)]


def magic_as_comment(lines: list[str]) -> list[str]:
    """Turn the line `%%diagnose` into a comment, for IPython, so that the cell runs as any other.

    A cell that a magic runs has the number of another cell, and lines that do not count the magic.
    """
    is_asked = bool(lines) and lines[0].split()[:1] == [MAGIC]
    return [f"# {lines[0]}", *lines[1:]] if is_asked else lines


_ADDRESS = re.compile(r"^- (https://\S+)$", re.M)


def page_html(slug: str) -> str:
    """Return the page of a cause as HTML; empty if it is a link, or nothing here reads Markdown."""
    if not slug or page_address(slug) is not None:
        return ""
    try:
        from markdown_it import MarkdownIt
    except ImportError:  # jaxtutor was installed without what its command line requires
        return ""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(reader.render(_ADDRESS.sub(r"- <\1>", explain(slug))))


class CellOutput:
    """A diagnosis as one output, which the front end shows in the richest form that it has."""

    try_with = "%jaxtutor fix"

    def __init__(self, found: Diagnosis, place: str) -> None:
        self.found = found
        self.place = place

    def _repr_mimebundle_(self, **_: object) -> Mapping[str, str]:
        return {
            "text/plain": self.found.text(self.place, self.try_with),
            "text/markdown": self.found.markdown(self.place, self.try_with),
            "text/html": self.found.html(self.place, self.try_with, page_html(self.found.cause)),
        }


class Extension:
    """The extension in one shell."""

    def __init__(self, shell: Any, display: Callable[[object], object]) -> None:
        self.shell = shell
        self.display = display
        self.is_watching = False
        self._before: tuple[Any, Any] = (shell.custom_exceptions, shell.CustomTB)
        self._cell = ExitStack()
        self._seen: Any = None
        self._failed: set[int] = set()
        self._reported = Reported()
        self._outdated: set[str] = set()
        self._last: Diagnosis | None = None

    def load(self) -> None:
        """Diagnose failing cells, and offer the magics."""
        self.shell.set_custom_exc((Exception,), self._explain)
        self.shell.register_magic_function(self.command, "line", "jaxtutor")
        self.shell.register_magic_function(self.diagnose_cell, "cell", "diagnose")
        self.shell.input_transformers_cleanup.append(magic_as_comment)
        self.shell.events.register("pre_run_cell", self._begin)
        self.shell.events.register("post_run_cell", self._end)

    def unload(self) -> None:
        """Restore what was there before."""
        self._stop()
        self.shell.custom_exceptions, self.shell.CustomTB = self._before
        for event, hook in (("pre_run_cell", self._begin), ("post_run_cell", self._end)):
            self.shell.events.unregister(event, hook)
        self.shell.input_transformers_cleanup.remove(magic_as_comment)
        magics = self.shell.magics_manager.magics
        magics["line"].pop("jaxtutor", None)
        magics["cell"].pop("diagnose", None)

    def command(self, line: str) -> None:
        """Switch watching on or off, try a fix, or show the page of a cause or error class."""
        match line.split():
            case ["on" | "off" as state]:
                self.is_watching = state == "on"
            case ["explain", name]:
                try:
                    self.display(MarkdownOutput(explain(name)))
                except KeyError:
                    sys.stderr.write(f"There is no page named {name!r}.\n")
            case ["fix"]:
                self._try_fix()
            case _:
                sys.stderr.write(USAGE + "\n")

    def diagnose_cell(self, line: str, cell: str) -> None:
        """Run one cell and report what it does silently wrong."""
        self.shell.run_cell(f"{MAGIC} {line}\n{cell}")

    # ------------------------------------------------------------ a cell

    def _explain(
        self,
        shell: Any,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
        tb_offset: int | None = None,
    ) -> list[str] | None:
        # The traceback must appear even if the diagnosis cannot be made.
        self._failed.add(self._number)
        with suppress(Exception):
            found = self._last = diagnose(error) if "jax" in sys.modules else None
            if found is not None and found.says_more:
                self.display(CellOutput(found, self._place(found)))
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        return None

    def _begin(self, info: Any = None, *_: object) -> None:
        self._stop()
        keep_frames()
        if "IPython.extensions.autoreload" in sys.modules:
            follow_edits()
        magics = whole_cell_magics(getattr(info, "raw_cell", ""))
        is_watched = self.is_watching or MAGIC in magics
        if MAGIC in magics and len(magics) > 1:
            sys.stderr.write(ONLY_MAGIC + "\n")
        if is_watched and "jax" in sys.modules:
            from jaxtutor.diagnosis import watch

            self._seen = self._cell.enter_context(watch())

    def _end(self, result: Any = None, *_: object) -> None:
        self._become_last()
        cell = self._cell_file(result) if self._seen is not None else ""
        if cell:
            self._seen.read(cell)
        seen = self._stop()
        if seen is None:
            return
        displayed = displayed_place("".join(linecache.getlines(cell)))
        for found in seen.findings:
            is_dropped = found.file != cell or not found.is_displayed(displayed)
            if is_dropped and self._is_due(found, cell):
                self.display(CellOutput(found, self._place(found)))
        for file in sorted({*seen.outdated} - self._outdated):
            sys.stderr.write(OUTDATED.format(file=file) + "\n")
        self._outdated = {*seen.outdated}

    def _become_last(self) -> None:
        """Let the next cell begin for the others first: `%autoreload` loads modules then."""
        self.shell.events.unregister("pre_run_cell", self._begin)
        self.shell.events.register("pre_run_cell", self._begin)

    def _is_due(self, found: Diagnosis, cell: str) -> bool:
        """Return whether to report a finding: what an old text shows by itself is reported once."""
        is_new = self._reported.is_new(found)
        return is_new or found.is_observed or found.file == cell

    def _cell_file(self, result: Any) -> str:
        """Return the name that IPython gave to the text of the cell that ended."""
        try:
            raw, ready = result.info.raw_cell, result.info.transformed_cell
            ready = ready or self.shell.transform_cell(raw)
            count = self.shell.execution_count
            name = self.shell.compile.get_code_name
            names = [name(raw, ready, number) for number in (count - 1, count)]
        except AttributeError:  # another IPython
            return ""
        return next((name for name in names if name in linecache.cache), "")

    def _stop(self) -> Any:
        self._cell.close()
        seen, self._seen = self._seen, None
        return seen

    def _try_fix(self) -> None:
        """Try the edit of the last failing cell in a copy, and offer the cells that it changes."""
        if self._last is None or not self._last.fix:
            sys.stderr.write("There is no suggested edit to try. Run the failing cell first.\n")
            return
        result = session_copy.try_fix(self._last.cause, self._cells())
        self.display(MarkdownOutput(result.text, result.markdown))
        if result.source:
            self.shell.set_next_input(result.source)

    def _cells(self) -> Mapping[int, str]:
        """Return the sources of the cells that ran, up to the last that failed, by their numbers.

        Others that failed are left out.
        """
        sources = self.shell.history_manager.input_hist_raw
        last = max(self._failed)
        ran = [number for number in range(1, last) if number not in self._failed]
        return {number: sources[number] for number in [*ran, last] if number < len(sources)}

    @property
    def _number(self) -> int:
        """The number of the cell that runs.

        IPython 9 counts a cell before it runs, and earlier versions after that.
        """
        return len(self.shell.history_manager.input_hist_raw) - 1

    def _place(self, found: Diagnosis) -> str:
        """Name a cell by the number that the notebook shows, and other files by their path."""
        number = getattr(self.shell.compile, "_filename_map", {}).get(found.file)
        if number is not None:
            return f"In [{number}]"
        return "the cell" if is_cell(found.file) else found.file


class MarkdownOutput:
    """A page of Markdown as an output."""

    def __init__(self, text: str, markdown: str = "") -> None:
        self.text = text
        self.markdown = markdown or text

    def _repr_mimebundle_(self, **_: object) -> Mapping[str, str]:
        return {"text/plain": self.text, "text/markdown": self.markdown}


_loaded: dict[int, Extension] = {}


def load(shell: Any) -> None:
    """Load the extension into a shell; IPython loads it once only."""
    from IPython.display import display

    extension = Extension(shell, display)
    extension.load()
    _loaded[id(shell)] = extension


def unload(shell: Any) -> None:
    """Remove the extension from a shell."""
    extension = _loaded.pop(id(shell), None)
    if extension is not None:
        extension.unload()
