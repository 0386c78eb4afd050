"""Reads what the recorded run of each page's own example shows: its exception and diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

from catalogue import Program, catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from recordings import corners, diagnoses, records
from rule_tables import has_places

FILE = "example.py"
"""How pages call the file of their example."""


@dataclass(frozen=True)
class Run:
    """The run of a page's failing example: its program, its exception, its diagnosis if known."""

    program: Program
    failure: Failure | None = None
    diagnosis: Diagnosis | None = None

    @property
    def message(self) -> str:
        """The class and the message of the exception; empty if it raised nothing."""
        if self.failure is None:
            return ""
        said = f"{self.failure.error_class}: {self.failure.message}"
        return said.replace(self.program.file, FILE)

    def raises(self, name: str) -> bool:
        """Return whether the exception is of a class, by its last name."""
        return self.failure is not None and name in (self.failure.error_class, *self.failure.bases)


def read_run(slug: str, library: Library) -> Run:
    """Return the newest recorded run of the failing example of a cause's page."""
    of = corners()[-1]
    name = f"pages/{slug}/failing"
    program, record = catalogue()[name], records(of).get(name)
    if record is None or not has_places(program, of):
        return Run(program, record.failure if record is not None else None)
    found = [it for it in diagnoses(record, program, library) if it is not None]
    diagnosis = next((it for it in found if it.cause == slug), None)
    return Run(program, record.failure, diagnosis)


def drill_messages(slug: str) -> list[str]:
    """Return what the recorded drills of a cause raise, each message once."""
    prefix, known = f"drills/{slug}/", records(corners()[-1])
    failures = (
        known[name].failure for name in catalogue() if name.startswith(prefix) and name in known
    )
    said = [f"{it.error_class}: {it.message}" for it in failures if it is not None]
    return list(dict.fromkeys(said))


def known_classes() -> dict[str, tuple[str, ...]]:
    """Return every class of an exception that was recorded, with the names of its bases."""
    found: dict[str, tuple[str, ...]] = {}
    for of in corners():
        for record in records(of).values():
            if record.failure is not None:
                bases = record.failure.bases
                found[record.failure.error_class] = bases
                for place, base in enumerate(bases):
                    found.setdefault(base, bases[place:])
    return found
