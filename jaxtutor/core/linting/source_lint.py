"""Decides what of the findings in a project's files is reported: by its settings and comments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.linting.directives import Directive, DirectiveFault, read_directives
from jaxtutor.core.linting.project import ProjectSettings

READ = frozenset(entry.slug for entry in INDEX if entry.kind in ("read", "foreseen"))
"""The causes that the source alone can show."""
ONLY_READ = READ - {entry.slug for entry in INDEX if entry.kind not in ("read", "foreseen")}
"""The causes that only the source shows: no run finds others."""

SettingsOf = Callable[[str], tuple[ProjectSettings, str]]
"""Returns the settings for a file, and the file's path in its project."""


class LintedFile(Struct, frozen=True):
    """What is reported of a file, and which of its comments allowed nothing or cannot be obeyed."""

    file: str
    found: tuple[Diagnosis, ...] = ()
    unused: tuple[Directive, ...] = ()
    faults: tuple[DirectiveFault, ...] = ()


class Allowances:
    """Decides which findings are reported, and counts the others.

    An exception always is: a comment cannot make a program run. One that is allowed all the same is
    in `raised`.
    """

    def __init__(self, settings_of: SettingsOf, known: Collection[str]) -> None:
        self._settings_of = settings_of
        self._known = known
        self._directives: dict[str, tuple[Directive, ...]] = {}
        self.faults: dict[str, tuple[DirectiveFault, ...]] = {}
        self._used = set[tuple[str, Directive]]()
        self._texts: dict[str, str] = {}
        self._allowed = set[tuple[str, str, int, str]]()
        self.raised: dict[str, None] = {}

    @property
    def allowed(self) -> int:
        """How many findings are not reported."""
        return len(self._allowed)

    def read(self, file: str, text: str) -> None:
        """Read the comments of a file, unless this text of it was read before."""
        if self._texts.get(file) != text:
            self._texts[file] = text
            self._directives[file], self.faults[file] = read_directives(file, text, self._known)

    def read_all(self, texts: Mapping[str, str]) -> None:
        """Read the comments of files."""
        for file, text in texts.items():
            self.read(file, text)

    def is_reported(self, found: Diagnosis) -> bool:
        """Return whether nothing allows what was found."""
        if found.cause is None:
            return True
        if found.error_class is not None:
            if self._is_allowed(found, found.cause, is_raised=True):
                self.raised[found.cause] = None
            return True
        if not self._is_allowed(found, found.cause):
            return True
        self._allowed.add((found.cause, found.file, found.line, found.expression))
        return False

    def _is_allowed(self, found: Diagnosis, cause: str, is_raised: bool = False) -> bool:
        settings, path = self._settings_of(found.file)
        first, last = (found.span.line, found.span.end_line) if found.span else (0, 0)
        allowing = [
            (found.file, each)
            for each in self._directives.get(found.file, ())
            if each.allows(cause, first, last)
        ]
        self._used.update(allowing)
        is_named = settings.ignores(cause, path)
        return is_named or bool(allowing) or not (is_raised or settings.selects(cause))

    def unused(self, file: str) -> tuple[Directive, ...]:
        """Return the comments that allowed nothing, of those for what no run can show either."""
        return tuple(
            each
            for each in self._directives.get(file, ())
            if (file, each) not in self._used and ONLY_READ.issuperset(each.causes)
        )


class NothingAllowed(Allowances):
    """Reports everything: a comment in a drill does not solve it."""

    def __init__(self) -> None:
        super().__init__(lambda file: (ProjectSettings(), file), ())

    def read(self, file: str, text: str) -> None:
        """Read no comments."""


def lint(
    texts: Mapping[str, str],
    found: Iterable[Diagnosis],
    settings_of: SettingsOf,
    known: Collection[str],
) -> Sequence[LintedFile]:
    """Return what is reported of each file, the first line first."""
    allowances = Allowances(settings_of, known)
    allowances.read_all(texts)
    kept: defaultdict[str, list[Diagnosis]] = defaultdict(list)
    for item in filter(allowances.is_reported, found):
        kept[item.file].append(item)
    return [
        LintedFile(
            file,
            tuple(sorted(kept[file], key=lambda item: item.line)),
            allowances.unused(file),
            allowances.faults[file],
        )
        for file in texts
    ]
