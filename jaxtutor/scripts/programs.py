"""Defines what `diagnose` can run: a script, a module, a command, a notebook, or pytest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jaxtutor.core.data.lines import moved_lines
from jaxtutor.core.data.notebooks import Notebook, NotebookError, read_notebook
from jaxtutor.core.data.requests import ProgramKind, ScriptRequest
from jaxtutor.errors import UsageError
from jaxtutor.storage import workspace

COMMAND_FILE = "<command line>"
"""The file name of the code of `-c`. Python's own, `<string>`, is also that of generated code."""

LARGEST_NOTEBOOK = 1 << 30
"""Bytes; the outputs that a notebook stores may be large, and are not kept."""


@dataclass(frozen=True)
class Program:
    """A learner's own program, and how it is started.

    `name` is what Python would be given, and `sys.argv[0]`. `file` is where its source is; for a
    module only the worker finds that, and `source` is empty. `cache` and `folder` are as in a
    request.
    """

    kind: ProgramKind
    name: str
    file: Path
    source: str
    arguments: tuple[str, ...] = ()
    notebook: Notebook | None = None
    cache: str = ""
    folder: str = ""

    def request(
        self,
        edits: Mapping[str, str] | None = None,
        jit: bool = True,
        maps: bool = True,
        keep: bool = False,
        functions: Mapping[str, tuple[str, ...]] | None = None,
        types: bool = False,
        watched: bool = True,
    ) -> ScriptRequest:
        """Return the request that runs it, with other texts in place of some of its files."""
        others = dict(edits or {})
        source = others.pop(str(self.file), self.source)
        starts, may_raise = self._cells(source)
        file = "" if self.kind == "module" else str(self.file)
        return ScriptRequest(
            file,
            source,
            self.arguments,
            jit,
            self.kind,
            self.name,
            others,
            starts,
            maps,
            keep,
            dict(functions or {}),
            may_raise,
            self.cache,
            self.folder,
            types,
            watched,
        )

    def _cells(self, source: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the lines at which the cells of an edited notebook begin, and those of cells that
        may raise.
        """
        if self.notebook is None:
            return (), ()
        first, *others = self.notebook.starts
        moved = {first: first, **moved_lines(self.source, source, others)}
        return tuple(moved.values()), tuple(moved[line] for line in self.notebook.may_raise)


def script(path: Path, arguments: tuple[str, ...] = ()) -> Program:
    """Return what `python PATH ARGUMENTS` runs, or a notebook's cells. Raises TutorError."""
    file = path.absolute()  # first, because it fails if the working directory is gone
    if not path.exists():
        raise UsageError(f"{path} does not exist.", "Give the path of a script.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", f"Run a package with: diagnose -m {path.name}")
    if path.suffix == ".ipynb":
        notebook = _read_notebook(path)
        return Program("notebook", str(path), file, notebook.source, arguments, notebook)
    return Program("script", str(path), file, workspace.read_program(path).text, arguments)


def _read_notebook(path: Path) -> Notebook:
    try:
        notebook = read_notebook(workspace.look(path, LARGEST_NOTEBOOK)[1])
    except NotebookError as error:
        raise UsageError(
            f"{path} is not a notebook. {error}", "Open and save it in Jupyter."
        ) from None
    if not notebook.starts:
        raise UsageError(f"{path} has no code cells.", "Give a notebook with code.")
    return notebook


def module(name: str, arguments: tuple[str, ...] = ()) -> Program:
    """Return what `python -m NAME ARGUMENTS` runs."""
    return Program("module", name, Path(name), "", arguments)


def command(code: str, arguments: tuple[str, ...] = ()) -> Program:
    """Return what `python -c CODE ARGUMENTS` runs."""
    return Program("command", "-c", Path(COMMAND_FILE), code + "\n", arguments)


def from_command_line(words: tuple[str, ...]) -> Program:
    """Return the program of a whole command line: `pytest ARGS`, `python ARGS` or `SCRIPT ARGS`.

    Raises UsageError.
    """
    if not words:
        raise UsageError("There is no program after `--`.", "Name one: diagnose -- pytest tests")
    first, rest = words[0], words[1:]
    if first in ("pytest", "py.test"):
        return module("pytest", rest)
    if first.startswith("python") and not Path(first).exists() and rest:
        if rest[0] in ("-m", "-c") and len(rest) > 1:
            return (module if rest[0] == "-m" else command)(rest[1], rest[2:])
        first, rest = rest[0], rest[1:]
    return script(Path(first), rest)
