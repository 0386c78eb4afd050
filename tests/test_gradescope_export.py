"""Tests grading what Gradescope exports."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.grading.grades import SubmittedFile
from jaxtutor.core.grading.roster import read_roster
from jaxtutor.errors import UsageError
from jaxtutor.grading.folder import Expectations, collect
from jaxtutor.grading.gradescope import ExportError, GradescopeSubmission, Submitter, read_export
from trials.sample_lessons import make_lesson

EXPORT = """---
submission_1001:
  :submitters:
  - :name: Zoë Ng
    :sid: '007'
    :email: zoe@x.org
  :created_at: 2026-04-26 17:34:00.861687000 Z
  :score: 2.0
  :results:
    score: 2.0
    output: |-
      ====
      Final Score: 2.0
      submission_9: {
submission_1002:
  :submitters:
  - :name: Ann Lee
    :sid: 11
    :email: ann@x.org
  - :name: Bob Lee
    :sid:
    :email: bob@x.org
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: &1 2026-04-28 01:00:00.000000000 Z
    time: *1
submission_1003:
  :submitters:
  - :name: Cat
    :sid: '13'
    :email: cat@x.org
submission_1004:
  :submitters: []
"""
"""As Gradescope writes it, with an autograder's output, a group, and a time of Rails."""

TEXT = "def safe_clip(x):\n    return x\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course of one lesson."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text('title = "Small"\n')
    make_lesson(folder / "01_tiny" / "01_safe_clip_positive")
    return load_course(folder)


def pack(place: Path, metadata: str, *, folder: str = "assignment_7_export/") -> Path:
    """Write an export in which the third submission has no program."""
    with zipfile.ZipFile(place / "export.zip", "w") as archive:
        archive.writestr(f"{folder}submission_metadata.yml", metadata)
        for number in (1001, 1002, 1004):
            name = f"{folder}submission_{number}/safe_clip_positive.py"
            archive.writestr(name, TEXT + f"# {number}\n")
        archive.writestr(f"{folder}submission_1003/notes.txt", "sorry")
    return place / "export.zip"


def test_what_gradescope_writes_is_read() -> None:
    """Numbers keep their zeros; both ways of writing a time are one time."""
    found = read_export(EXPORT.encode())

    assert ["submission_1001", "submission_1002", "submission_1003", "submission_1004"] == [*found]
    assert (
        GradescopeSubmission(
            (Submitter("Zoë Ng", "007", "zoe@x.org"),),
            datetime(2026, 4, 26, 17, 34, 0, 861687, UTC),
        )
        == found["submission_1001"]
    )
    pair = found["submission_1002"]
    assert [("Ann Lee", "11"), ("Bob Lee", "")] == [(it.name, it.number) for it in pair.submitters]
    assert datetime(2026, 4, 28, 1, tzinfo=UTC) == pair.created
    assert found["submission_1003"].created is None


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"- 1\n", "does not list submissions"),
        (b"", "does not list submissions"),
        (b"a: [\n", "It is not YAML"),
        (b"\xff\xfe\xfd", "It is not YAML"),
        (b"submission_1: 3\n", "submission_1 has no list of :submitters"),
        (b"submission_1:\n  :submitters:\n  - Ann\n", "a submitter without fields"),
        (b"submission_1:\n  :submitters:\n  - :role: x\n", "without :name, :sid and :email"),
    ],
)
def test_another_file_of_that_name_is_refused(data: bytes, says: str) -> None:
    """The message names the submission."""
    with pytest.raises(ExportError) as raised:
        read_export(data)
    assert says in str(raised.value)


@pytest.mark.parametrize("folder", ["assignment_7_export/", ""])
def test_folders_belong_to_their_submitters(tmp_path: Path, course: Course, folder: str) -> None:
    """A group's file counts for each member, not as a copy; the deadline is the export's time."""
    place = pack(tmp_path, EXPORT, folder=folder)
    found = collect(place, course, None, Expectations(deadline=datetime(2026, 4, 27, tzinfo=UTC)))

    assert {
        "Zoë Ng": ("007", ()),
        "Ann Lee": ("11", ("late",)),
        "Bob Lee": ("bob@x.org", ("late",)),
        "submission_1004": ("", ("late",)),
    } == {it.learner: (it.id, it.notes) for it in found.submissions}
    assert [("Cat", "missing")] == [(it.learner, it.status) for it in found.settled]


def test_a_roster_knows_them_by_number_and_address(tmp_path: Path, course: Course) -> None:
    """A number decides before the address, and both before the name."""
    rows = (
        "Name,SID,Email",
        "Ng Zoe Maria,007,",
        "Robert Lee,12,bob@x.org",
        "Ann Lee,11,",
        "Dan,14,",
    )
    roster = read_roster("\n".join(rows).encode())
    found = collect(pack(tmp_path, EXPORT), course, None, Expectations(students=roster))

    listed = {it.learner for it in found.submissions if "not on the roster" not in it.notes}
    assert {"Ng Zoe Maria", "Robert Lee", "Ann Lee"} == listed
    assert {"Dan"} == {it.learner for it in found.settled}


def test_an_extracted_export_is_the_same(tmp_path: Path, course: Course) -> None:
    """As a folder."""
    with zipfile.ZipFile(pack(tmp_path, EXPORT)) as archive:
        archive.extractall(tmp_path)
    found = collect(tmp_path / "assignment_7_export", course)

    names = [it.learner for it in found.submissions if isinstance(it, SubmittedFile)]
    assert ["Zoë Ng", "Ann Lee", "Bob Lee", "submission_1004"] == names


def test_a_damaged_file_is_reported(tmp_path: Path, course: Course) -> None:
    """Rather than grading numbers in place of learners."""
    with pytest.raises(UsageError, match=r"submission_metadata\.yml .* is not YAML"):
        collect(pack(tmp_path, "a: ["), course)
