"""Reads `submission_metadata.yml`, in which Gradescope's export says who handed in what.

An export has a folder for each submission, named by a number, and this file beside them. Its keys
are symbols of Ruby, such as `:name`. Gradescope does not document it; the fields are those that
programs for such exports read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.grading.file_names import NamedFile, composed, with_distinct_learners

LARGEST = 256 << 20
"""Bytes. The file holds what an autograder printed for each submission."""


class ExportError(ValueError):
    """A file that is not Gradescope's."""


class Submitter(Struct, frozen=True):
    """A learner as Gradescope knows them; `number` is that of the institution."""

    name: str
    number: str = ""
    email: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What identifies this learner on a roster for certain."""
        return tuple(filter(None, (self.number, self.email)))


class GradescopeSubmission(Struct, frozen=True):
    """Who handed in a folder, which several learners may do together, and when."""

    submitters: tuple[Submitter, ...]
    created: datetime | None = None


def read_export(data: bytes) -> dict[str, GradescopeSubmission]:
    """Return the submission of each folder. Raises ExportError."""
    import yaml  # only such an export needs it

    # Everything is text to this loader, so that 007 is not 7 and Ruby's objects are mappings.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        read = yaml.load(data, loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ExportError(f"It is not YAML: {' '.join(str(error).split())}.") from None
    except RecursionError:
        raise ExportError("It is nested too deeply.") from None
    if not isinstance(read, dict):
        raise ExportError("It does not list submissions.")
    return {str(folder): _submission(str(folder), entry) for folder, entry in read.items()}


def _submission(folder: str, entry: object) -> GradescopeSubmission:
    listed = entry.get(":submitters") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(listed, list):
        raise ExportError(f"{folder} has no list of :submitters.")
    return GradescopeSubmission(
        tuple(_submitter(folder, it) for it in listed), _time(entry.get(":created_at"))
    )


def _submitter(folder: str, fields: object) -> Submitter:
    if not isinstance(fields, dict):
        raise ExportError(f"{folder} has a submitter without fields.")
    name, number, email = (
        composed(text.strip()) if isinstance(text := fields.get(key), str) else ""
        for key in (":name", ":sid", ":email")
    )
    if not (name or number or email):
        raise ExportError(f"{folder} has a submitter without :name, :sid and :email.")
    return Submitter(name or number or email, number, email)


def _time(text: object) -> datetime | None:
    """Read `2026-04-26 17:34:00.861687000 Z`, alone or as the field `utc` of Ruby's time."""
    if isinstance(text, Mapping):
        text = text.get("utc")
    day, _, rest = str(text).strip().partition(" ")
    try:
        return datetime.fromisoformat(f"{day} {rest.replace(' ', '')}" if rest else day)
    except ValueError:
        return None


def with_submitters(
    entries: Iterable[NamedFile], submissions: Mapping[str, GradescopeSubmission]
) -> tuple[NamedFile, ...]:
    """Return each file once for each learner that handed it in; others keep their names."""
    return tuple(with_distinct_learners(_named(entries, submissions)))


def _named(
    entries: Iterable[NamedFile], submissions: Mapping[str, GradescopeSubmission]
) -> Iterator[NamedFile]:
    for entry in entries:
        found = submissions.get(entry.parts[0])
        if found is None or not found.submitters:
            yield entry
            continue
        for who in found.submitters:
            yield replace(
                entry,
                learner=who.name,
                id=who.number or who.email,
                lms="gradescope",
                prefix="",
                keys=who.keys,
                submitted=found.created,
            )
