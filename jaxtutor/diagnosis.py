"""Names the causes of JAX mistakes in the calling process: a library for other tools.

    from jaxtutor.diagnosis import diagnose, watch

    try:
        train()
    except Exception as error:
        found = diagnose(error)
        if found is not None:
            print(found.text())

    with watch() as seen:
        train()
    for finding in seen.findings:
        print(finding.text())

Neither the command line nor the lessons are imported. JAX is imported by the first call.
"""

from __future__ import annotations

import linecache
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.addresses import page_address
from jaxtutor.core.data import diagnoses
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine import propose as proposals
from jaxtutor.core.diagnosis.engine.cells import is_displayed
from jaxtutor.core.diagnosis.engine.diagnose import diagnose as name_cause
from jaxtutor.core.diagnosis.engine.findings import SessionFindings
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.diagnosis.engine.source import SessionTexts, session_imports
from jaxtutor.core.linting.directives import nearest
from jaxtutor.core.reporting import diagnosis_html, diagnosis_text

if TYPE_CHECKING:
    from jaxtutor.core.linting.source_lint import Allowances
    from jaxtutor.worker.watching.executed_code import ExecutedCode
    from jaxtutor.worker.watching.instrument import Instrumentation

__all__ = ["Diagnosis", "OriginStep", "Watch", "diagnose", "explain", "is_own_file", "watch"]


@dataclass(frozen=True)
class OriginStep:
    """One step of how a value became a tracer: an expression, its line, and what it was there.

    `aval` is JAX's abstract value, such as `float32[3]`. `line` is 0 and `file` empty if they are
    not known.
    """

    expression: str
    aval: str
    line: int
    file: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """A named mistake at a position.

    `error_class` and `message` are those of the exception; both are empty for a finding, which is
    a mistake in a program that did not raise. `cause` is empty if the cause is not known; then
    `summary` describes the exception, and there is no advice. Lines count from 1, columns from 0;
    `line` is 0 if no expression is known. `fix` is a unified diff that was not tried, or empty.
    `function` is the outermost function around the place of a finding, as in `Model.step`.
    `is_observed` is False for a finding that the text of a file shows by itself. `is_outdated`
    says that the file has changed since it was loaded, so that no cause can be named.
    """

    cause: str
    error_class: str
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    expression: str
    function: str
    summary: str
    advice: str
    origin: tuple[OriginStep, ...]
    fix: str
    is_observed: bool
    is_outdated: bool
    _found: diagnoses.Diagnosis = field(repr=False, compare=False)
    _source: str = field(repr=False, compare=False)

    @property
    def says_more(self) -> bool:
        """Whether the diagnosis says more than the traceback of the exception."""
        return bool(self.cause) or self.is_outdated

    def is_displayed(self, place: tuple[int, int] | None) -> bool:
        """Return whether this is a dropped result that a prompt displays at a place of its cell."""
        return is_displayed(self._found, place)

    def text(self, place: str = "", try_with: str = "") -> str:
        """Return the diagnosis as plain text.

        `place` names the file; its path if empty. `try_with` is a command that tries the edit.
        """
        return diagnosis_text.as_text(self._found, self._source, *self._words(place, try_with))

    def markdown(self, place: str = "", try_with: str = "") -> str:
        """Return the diagnosis as Markdown."""
        return diagnosis_text.as_markdown(self._found, self._source, *self._words(place, try_with))

    def html(self, place: str = "", try_with: str = "", page: str = "") -> str:
        """Return the diagnosis as HTML, with everything that is not ours escaped.

        It has the colours of the JupyterLab theme, where the page has one. The name of the cause is
        a link to its page; if jaxtutor was built without a site, it opens `page`, which is HTML.
        """
        words = self._words(place, try_with)
        address = page_address(self.cause) if self.cause else None
        element = diagnosis_html.as_html(self._found, self._source, *words, address, page)
        return diagnosis_html.STYLE + element

    def _words(self, place: str, try_with: str) -> tuple[str, str, str]:
        place = place or self.file
        fix = self.fix.replace(f" {self.file}\n", f" {place}\n", 2)  # in the head of the diff
        return place, fix, diagnosis_text.untried(try_with)


IsOwn = Callable[[str], bool]


def diagnose(error: BaseException, is_own: IsOwn | None = None) -> Diagnosis | None:
    """Name the cause of an exception that was caught in this process.

    `is_own` says which files are the user's own; the default is `is_own_file`. The result has no
    cause if none is certain, and is None if no frame of the traceback is in a file of the user's.
    Nothing is certain of a file whose text has changed since it was loaded.
    """
    keep_frames()
    from jaxtutor.worker import sources
    from jaxtutor.worker.failures import failure

    own = is_own or is_own_file
    codes = (code for code in sources.codes_behind(error) if own(code.co_filename))
    changed = sources.outdated_files(codes)
    described = failure.describe(error, own)
    texts = _texts(frame.file for frame in described.frames if frame.file not in changed)
    found = name_cause(described, texts, _library(), changed=changed)
    if found is None:
        return None
    return _public(found, texts, is_outdated=found.diagnosis.file in changed)


class Watch:
    """What `watch` saw. `findings` may be read while the block runs, and afterwards.

    `outdated` names the files that ran and whose text has changed since they were loaded: in them
    nothing is certain.
    """

    def __init__(
        self,
        watched: Instrumentation,
        ran: ExecutedCode,
        allowances: Allowances,
        files: Iterable[str] = (),
    ) -> None:
        self._watched = watched
        self._ran = ran
        self._allowances = allowances
        self._files = list(files)
        self._final: tuple[Diagnosis, ...] | None = None
        self.outdated: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Diagnosis, ...]:
        """The mistakes seen so far that raised nothing, such as a retrace in a loop."""
        return self._final if self._final is not None else self._find()

    @property
    def allowed(self) -> int:
        """How many findings are left out, because comments or settings allow them."""
        return self._allowances.allowed

    def read(self, file: str) -> None:
        """Also read a file, before the block ends, for mistakes that its text shows."""
        self._files.append(file)

    def _find(self) -> tuple[Diagnosis, ...]:
        from jaxtutor.worker import sources

        observed = self._watched.observations()
        places = [seen.frame.file for seen in observed if seen.frame is not None]
        for code in self._watched.codes:
            self._ran.note(code)
        codes = self._ran.codes
        files = dict.fromkeys([*self._files, *places, *codes])
        self.outdated = tuple(f for f in files if sources.is_outdated(f, codes.get(f, ())))
        texts = _texts(f for f in files if f not in self.outdated)
        self._allowances.read_all(texts)
        found = _findings().find(observed, texts, self._allowances.is_reported)
        return tuple(_public(item, texts) for item in found)


@contextmanager
def watch(
    files: Iterable[str] = (),
    is_own: IsOwn | None = None,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
) -> Iterator[Watch]:
    """Watch what the block does for mistakes that raise nothing.

    The text of each file that runs is also read, for mistakes such as a dropped `.at[].set`: before
    Python 3.12, of the file with the block, and of those in which something was observed. `files`
    are read in any case.

    What comments (`# jaxtutor: ignore[CAUSE]`) and the settings of the project allow is left out.
    For cells, the project is that of the working directory. `select` and `ignore` are causes, and
    come before the settings; a name that no cause has raises ValueError.

    Functions of Python, numpy and JAX are replaced by ones that record their calls, and restored at
    the end. Tracing and compiling take about twice as long. Blocks cannot be nested, and only one
    thread can be watched.
    """
    from jaxtutor.worker.watching.executed_code import ExecutedCode
    from jaxtutor.worker.watching.instrument import Instrumentation

    own = is_own or is_own_file
    allowances = _allowances(select, ignore)
    with ExecutedCode(own, sys._getframe(1)) as ran, Instrumentation(own) as watched:
        seen = Watch(watched, ran, allowances, files)
        try:
            yield seen
        finally:
            seen._final = seen._find()


def keep_frames() -> None:
    """From now on, keep the frames that JAX removes from tracebacks, if JAX is imported.

    `diagnose` reads the values in them. JAX's options stay as they are.
    """
    if "jax" in sys.modules:
        from jaxtutor.worker.internals import tracebacks

        tracebacks.keep_unfiltered()


def follow_edits() -> None:
    """Give reloaded functions of the user's modules the lines that their files have now."""
    from jaxtutor.worker import sources

    for module in list(sys.modules.values()):
        file = getattr(module, "__dict__", {}).get("__file__")  # a lazy module stays unloaded
        if isinstance(file, str) and is_own_file(file):
            sources.follow_edits(file)


def explain(name: str) -> str:
    """Return the page of a cause (`traced-bool-in-if`) or an error class, as Markdown.

    Raises KeyError if no page has this name.
    """
    return _library().markdown(name)


def check_causes(names: Iterable[str]) -> None:
    """Raise ValueError if a name is not that of a cause, and name the nearest."""
    slugs = _library().slugs
    for name in names:
        if name not in slugs:
            raise ValueError(f"There is no cause `{name}`. {nearest(name, slugs)}")


def check_settings(folder: Path) -> None:
    """Raise ValueError if the settings of the project of a folder cannot be used."""
    from jaxtutor.errors import ConfigError
    from jaxtutor.linting.project_files import Projects

    try:
        Projects(_library().slugs).of_folder(folder)
    except ConfigError as error:
        raise ValueError(f"{error.message} {error.remedy}") from None


def _allowances(select: Collection[str], ignore: Collection[str]) -> Allowances:
    from jaxtutor.errors import ConfigError
    from jaxtutor.linting.allowing import find_allowances
    from jaxtutor.linting.project_files import Project, Projects

    check_causes((*select, *ignore))
    slugs = _library().slugs
    projects = Projects(slugs)

    @cache
    def here() -> Project:  # once something is found: most blocks need no settings
        try:
            return projects.of_folder(Path.cwd())
        except ConfigError as error:
            warnings.warn(f"{error.message} {error.remedy}", stacklevel=1)
        except OSError:
            pass  # the working directory is gone
        return Project(Path())

    return find_allowances(here, projects, slugs, select, ignore)


@cache
def is_own_file(name: str) -> bool:
    """Return whether a file is the user's own: neither Python's, nor installed, nor jaxtutor's.

    Cells of IPython and notebooks are the user's own.
    """
    return is_cell(name) or _is_own()(name)


def is_cell(name: str) -> bool:
    """Return whether a file name is one that IPython gives to a cell."""
    return "<ipython-input-" in name or "ipykernel_" in name


@cache
def _is_own() -> IsOwn:
    from jaxtutor.worker.own_files import ownership

    return ownership()


@cache
def _library() -> Library:
    return Library()


@cache
def _findings() -> SessionFindings:
    return SessionFindings(_library())


def _texts(files: Iterable[str]) -> Mapping[str, str]:
    """Return the texts of files; cells know what other cells of the session import."""
    texts = {file: "".join(linecache.getlines(file)) for file in dict.fromkeys(files)}
    cells = {file for file in texts if is_cell(file)}
    if not cells:
        return texts
    session = ["".join(linecache.getlines(file)) for file in list(linecache.cache) if is_cell(file)]
    return SessionTexts(texts, cells, session_imports(session))


def _public(
    diagnosed: Diagnosed, sources: Mapping[str, str], is_outdated: bool = False
) -> Diagnosis:
    found = diagnosed.diagnosis
    span = found.span or Span(0, 0, 0, 0)
    match = diagnosed.match
    patch = next(proposals.propose(diagnosed), None)
    return Diagnosis(
        cause=found.cause or "",
        error_class=found.error_class or "",
        message=found.message,
        file=found.file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        expression=found.expression,
        function=match.module.outer_function(match.node) if isinstance(match, Finding) else "",
        summary=found.summary,
        advice=found.advice,
        origin=tuple(
            OriginStep(
                step.expression, step.aval, step.span.line if step.span else 0, step.file or ""
            )
            for step in found.origin
        ),
        fix=patch.diff(sources[patch.file]) if patch is not None else "",
        is_observed=diagnosed.rule is None or diagnosed.rule.kind != "read",
        is_outdated=is_outdated,
        _found=found,
        _source=sources.get(found.file, ""),
    )
