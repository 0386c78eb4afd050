"""Decides what of the findings in a project's files is reported: by its settings and comments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.linting.directives import Directive, DirectiveFault, read_directives
from jaxtutor.core.linting.project import ProjectSettings

READ = frozenset(entry.slug for entry in INDEX if entry.kind == "read")
"""The causes that the source alone can show."""
ONLY_READ = READ - {entry.slug for entry in INDEX if entry.kind != "read"}
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
    """Decides which findings are reported.

    An exception always is: a comment cannot make a program run.
    """

    def __init__(self, settings_of: SettingsOf, known: Collection[str]) -> None:
        self._settings_of = settings_of
        self._known = known
        self._directives: dict[str, tuple[Directive, ...]] = {}
        self.faults: dict[str, tuple[DirectiveFault, ...]] = {}
        self._used = set[tuple[str, Directive]]()

    def read(self, file: str, text: str) -> None:
        """Read the comments of a file."""
        self._directives[file], self.faults[file] = read_directives(file, text, self._known)

    def is_reported(self, found: Diagnosis) -> bool:
        """Return whether nothing allows what was found."""
        if found.error_class is not None or found.cause is None:
            return True
        settings, path = self._settings_of(found.file)
        first, last = (found.span.line, found.span.end_line) if found.span else (0, 0)
        allowing = [
            (found.file, each)
            for each in self._directives.get(found.file, ())
            if each.allows(found.cause, first, last)
        ]
        self._used.update(allowing)
        return not allowing and settings.admits(found.cause, path)

    def unused(self, file: str) -> tuple[Directive, ...]:
        """Return the comments that allowed nothing, of those for what no run can show either."""
        return tuple(
            each
            for each in self._directives.get(file, ())
            if (file, each) not in self._used and ONLY_READ.issuperset(each.causes)
        )


def lint(
    texts: Mapping[str, str],
    found: Iterable[Diagnosis],
    settings_of: SettingsOf,
    known: Collection[str],
) -> Sequence[LintedFile]:
    """Return what is reported of each file, the first line first."""
    allowances = Allowances(settings_of, known)
    for file, text in texts.items():
        allowances.read(file, text)
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
