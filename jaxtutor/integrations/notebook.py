"""Diagnoses cells in IPython and notebooks, after `%load_ext jaxtutor`.

A failing cell gets one output with its diagnosis, above the traceback. After `%jaxtutor on`, cells
that run are watched for mistakes that raise nothing; `%%diagnose` does it for one cell. `%jaxtutor
fix` tries the suggested edit in a copy of the session, and offers the corrected cell.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any

from jaxtutor.core.diagnosis.engine.cells import displayed_place
from jaxtutor.core.diagnosis.engine.reported import Reported
from jaxtutor.diagnosis import Diagnosis, diagnose, explain, is_cell, keep_frames
from jaxtutor.integrations import session_copy

OUTDATED = (
    "{file} has changed since it was loaded: what it does was not diagnosed. Load it again"
    " (`importlib.reload`)."
)
USAGE = "Use: %jaxtutor on, %jaxtutor off, %jaxtutor fix, or %jaxtutor explain NAME"


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
            "text/html": self.found.html(self.place, self.try_with),
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
        self._numbers: dict[str, int] = {}
        self._reported = Reported()
        self._outdated: set[str] = set()
        self._last: Diagnosis | None = None

    def load(self) -> None:
        """Diagnose failing cells, and offer the magics."""
        self.shell.set_custom_exc((Exception,), self._explain)
        self.shell.register_magic_function(self.command, "line", "jaxtutor")
        self.shell.register_magic_function(self.diagnose_cell, "cell", "diagnose")
        self.shell.events.register("pre_run_cell", self._begin)
        self.shell.events.register("post_run_cell", self._end)

    def unload(self) -> None:
        """Restore what was there before."""
        self._stop()
        self.shell.custom_exceptions, self.shell.CustomTB = self._before
        for event, hook in (("pre_run_cell", self._begin), ("post_run_cell", self._end)):
            self.shell.events.unregister(event, hook)
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

    def diagnose_cell(self, _line: str, cell: str) -> None:
        """Run one cell and report what it does silently wrong.

        The line of the magic counts, as in the notebook. IPython gives the cell the number of the
        next one.
        """
        before, self.is_watching = self.is_watching, True
        try:
            self.shell.run_cell(f"# %%diagnose\n{cell}")
        finally:
            self.is_watching = before
            self._numbers |= dict.fromkeys(self._names_after(self._number), self._number)

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

    def _begin(self, *_: object) -> None:
        self._stop()
        keep_frames()
        if self.is_watching and "jax" in sys.modules:
            from jaxtutor.diagnosis import watch

            self._seen = self._cell.enter_context(watch())

    def _end(self, result: Any = None, *_: object) -> None:
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

    def _names_after(self, number: int) -> list[str]:
        """Return the names of cells that have a later number than the one that runs."""
        numbers = getattr(self.shell.compile, "_filename_map", {})
        return [name for name, later in numbers.items() if later > number]

    def _place(self, found: Diagnosis) -> str:
        """Name a cell by the number that the notebook shows, and other files by their path."""
        given = getattr(self.shell.compile, "_filename_map", {}).get(found.file)
        if given is not None:
            is_running = given > self._number  # in a cell with %%diagnose
            number = self._number if is_running else self._numbers.get(found.file, given)
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
