"""Reads and writes the files of accepted findings."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from jaxtutor.core.linting.baseline import (
    Accepted,
    BaselineFault,
    name_findings,
    read_baseline,
    without_accepted,
    write_baseline,
)
from jaxtutor.core.linting.source_lint import LintedFile
from jaxtutor.errors import ConfigError
from jaxtutor.linting.project_files import Projects, absolute
from jaxtutor.storage import workspace

LARGEST = 1 << 26
"""Bytes of a baseline."""
Texts = Mapping[str, str]


class WithoutAccepted(Struct, frozen=True):
    """What is reported beside a baseline: how many findings it accepts, and which are gone."""

    files: tuple[LintedFile, ...]
    accepted: int = 0
    gone: tuple[Accepted, ...] = ()


class Baselines:
    """Applies the baseline that is named, or else that of each file's project."""

    def __init__(self, projects: Projects, named: Path | None) -> None:
        self._projects = projects
        self._named = absolute(named) if named is not None else None
        self._read = cache(_read)

    def leave_out(
        self, files: Sequence[LintedFile], texts: Texts, is_sought: Callable[[str, str], bool]
    ) -> WithoutAccepted:
        """Leave out the accepted findings of files. Raises ConfigError.

        `is_sought` says of a file and a cause whether the cause would be reported there: what was
        not looked for is not gone.
        """
        left: list[LintedFile] = []
        gone: list[Accepted] = []
        for file in files:
            place = self._named or self._of_project(file.file)
            if place is None:
                left.append(file)
                continue
            path = _path(file.file, place)
            accepted = self._read(place).get(path, ())
            named = name_findings(file, texts[file.file], path)
            left.append(without_accepted(file, named, accepted))
            gone += [e for e in accepted if e not in named and is_sought(file.file, e.cause)]
        return WithoutAccepted(tuple(left), _count(files) - _count(left), tuple(sorted(gone)))

    def _of_project(self, file: str) -> Path | None:
        project = self._projects.find(Path(file))
        name = project.settings.baseline
        return absolute(project.root / name) if name is not None else None


def _count(files: Sequence[LintedFile]) -> int:
    return sum(len(file.found) for file in files)


def _path(file: str, place: Path) -> str:
    return Path(os.path.relpath(file, place.parent)).as_posix()


def _read(place: Path) -> dict[str, set[Accepted]]:
    """Return the accepted findings by their paths."""
    again = f"Write it again: jaxtutor lint --write-baseline {place.name}"
    try:
        baseline = read_baseline(workspace.look(place, LARGEST)[1])
    except OSError as error:
        problem = workspace.explain(error)
        raise ConfigError(f"The baseline {place} cannot be read: {problem}.", again) from None
    except BaselineFault as fault:
        raise ConfigError(f"{place} {fault}.", again) from None
    by_path = defaultdict[str, set[Accepted]](set)
    for each in baseline.findings:
        by_path[each.path].add(each)
    return by_path


def write(place: Path, files: Iterable[LintedFile], texts: Texts) -> int:
    """Accept all findings of files; return how many there are."""
    whole = absolute(place)
    found = [
        name
        for file in files
        for name in name_findings(file, texts[file.file], _path(file.file, whole))
    ]
    workspace.write_out(whole, write_baseline(found))
    return len(found)
