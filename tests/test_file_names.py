"""Tests which learner and lesson a submitted file belongs to."""

from __future__ import annotations

import pytest

from jaxtutor.core.grading.file_names import (
    LessonNames,
    Parts,
    assign,
    doubles,
    natural,
    read_lms_name,
    wrapper,
)

LESSONS = [
    LessonNames("clip", "01_clip", "01_basics"),
    LessonNames("safe-clip", "02_safe_clip", "01_basics"),
    LessonNames("scan", "01_scan", "02_loops"),
]


def assigned(*files: str, only: str | None = None) -> list[tuple[str, str | None]]:
    """Assign files in a folder, and return the learner and lesson of each."""
    parts: list[Parts] = [tuple(file.split("/")) for file in files]
    return [(entry.learner, entry.lesson) for entry in assign(parts, LESSONS, "pile", only)]


@pytest.mark.parametrize(
    ("file", "learner", "lesson"),
    [
        ("ann/01_basics/01_clip.py", "ann", "clip"),
        ("ann/01_clip.py", "ann", "clip"),
        ("ann/clip.py", "ann", "clip"),
        ("ann/Safe-Clip.py", "ann", "safe-clip"),
        ("ann/deep/er/safe_clip.py", "ann", "safe-clip"),
        ("01_basics/01_clip.py", "pile", "clip"),
        ("ann/03_basics/07_clip.py", "ann", "clip"),
        ("03_basics/07_clip.py", "pile", "clip"),
        ("07_clip.py", "pile", "clip"),
        ("basics/07_clip.py", "basics", "clip"),
        ("01_clip.py", "pile", "clip"),
        ("ann_01_clip.py", "ann", "clip"),
        ("Ann Lee_4711_scan.py", "Ann Lee_4711", "scan"),
        ("ann_safe_clip.py", "ann", "safe-clip"),
        ("ann/bob_scan.py", "ann", "scan"),
        ("ann/scan (1).py", "ann", "scan"),
        ("ann/scan copy.py", "ann", "scan"),
        ("ann/solution.py", "ann", None),
        ("ann.py", "ann", None),
        ("ann/myclip.py", "ann", None),
    ],
)
def test_a_path_tells_learner_and_lesson(file: str, learner: str, lesson: str | None) -> None:
    """The learner is the folder or the file name's prefix; chapter folders are not learners."""
    assert [(learner, lesson)] == assigned(file)


def test_numbers_of_learners_are_not_those_of_lessons() -> None:
    """Several numbers before one lesson's name are the learners', as in a class by numbers."""
    assert [("07", "clip"), ("08", "clip")] == assigned("07_clip.py", "08_clip.py")
    assert [("pile", "clip"), ("pile", "scan")] == assigned("07_clip.py", "08_scan.py")


def test_with_one_lesson_a_single_file_needs_no_name() -> None:
    """For a single lesson, a learner's only file needs no particular name."""
    assert [("ann", "scan"), ("bob", "scan")] == assigned("ann.py", "bob/main.py", only="scan")


def test_a_file_named_rightly_goes_before_one_that_is_not() -> None:
    """Next to a file with the lesson's name, other files are not submissions."""
    expected = [("ann", "scan"), ("ann", None)]
    assert expected == assigned("ann/scan.py", "ann/notes.py", only="scan")


def test_of_two_files_without_the_name_neither_is_taken() -> None:
    """Of two files without the lesson's name, neither is chosen."""
    assert [("ann", None), ("ann", None)] == assigned("ann/a.py", "ann/b.py", only="scan")


def test_files_for_other_lessons_are_left_out() -> None:
    """For a single lesson, files for other lessons are ignored."""
    assert [("ann", "scan")] == assigned("ann/scan.py", "ann/clip.py", only="scan")


def test_doubles_are_found() -> None:
    """Two files of one learner for one lesson are reported, but not those of two learners."""
    parts: list[Parts] = [("a", "scan.py"), ("a", "scan (1).py"), ("b", "scan.py"), ("b", "x.py")]
    assert {("a", "scan")} == doubles(assign(parts, LESSONS, "pile"))


# ---------------------------------------------------------------- names of an LMS


@pytest.mark.parametrize(
    ("file", "learner", "number", "lesson", "late"),
    [
        ("doejane_12345_67890_01_clip.py", "doejane", "12345", "clip", False),
        ("doejane_LATE_12345_67890_01_clip.py", "doejane", "12345", "clip", True),
        ("roejohn_12346_67891_01_clip-1.py", "roejohn", "12346", "clip", False),
        ("roejohn_12346_67891_01_clip-12.py", "roejohn", "12346", "clip", False),
        ("roejohn_12346_67891_clip (1).py", "roejohn", "12346", "clip", False),
        ("o_brien_12346_67891_clip.py", "o_brien", "12346", "clip", False),
        ("łuczakewa_7_8_scan.ipynb", "łuczakewa", "7", "scan", False),
        ("anon_x9Y2z_678_scan.py", "anon x9Y2z", "x9Y2z", "scan", False),
        ("LATE_anon_x9Y2z_678_scan.py", "anon x9Y2z", "x9Y2z", "scan", True),
        ("doejane_LATE_12345_67890/01_clip.py", "doejane", "12345", "clip", True),
        ("Jane Doe_42_assignsubmission_file_/clip.py", "Jane Doe", "42", "clip", False),
        ("Jane Doe_42_assignsubmission_file/01_clip.py", "Jane Doe", "42", "clip", False),
        ("Jane Doe_42_assignsubmission_file_01_clip.py", "Jane Doe", "42", "clip", False),
        ("HW-7/Jane Doe_42_assignsubmission_file_/a/clip.py", "Jane Doe", "42", "clip", False),
        ("Participant_42_assignsubmission_file_/clip.py", "Participant 42", "42", "clip", False),
        ("Jane Doe_42_assignsubmission_file_/other.py", "Jane Doe", "42", None, False),
        ("ann_01_clip.py", "ann", "", "clip", False),
        ("ann_4711_01_clip.py", "ann_4711", "", "clip", False),
        ("ann_2_01/clip.py", "ann_2_01", "", "clip", False),
    ],
)
def test_the_names_of_an_lms_are_understood(
    file: str, learner: str, number: str, lesson: str | None, late: bool
) -> None:
    """Canvas and Moodle write the learner, a number, and Canvas a mark into the name."""
    (entry,) = assign([tuple(file.split("/"))], LESSONS, "pile")

    assert (learner, number, lesson, late) == (
        entry.learner,
        entry.id,
        entry.lesson,
        entry.is_late,
    )


def test_namesakes_with_two_numbers_are_two_learners() -> None:
    """Canvas writes the names of two learners alike, and Moodle may call all of them the same."""
    files = ["leeann_1_2_clip.py", "leeann_3_4_clip.py", "doe_5_6_clip.py"]
    assert ["leeann (1)", "leeann (3)", "doe"] == [who for who, _ in assigned(*files)]


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("doe_1_2_clip.py", "doe_1_2_"),
        ("Jane Doe_42_assignsubmission_file_clip.py", "Jane Doe_42_assignsubmission_file_"),
        ("Jane Doe_42_assignsubmission_file_", "Jane Doe_42_assignsubmission_file_"),
    ],
)
def test_a_prefix_is_what_the_lms_reads_again(name: str, prefix: str) -> None:
    """A page that begins with it goes to the right learner."""
    found = read_lms_name(name)
    assert found is not None
    assert prefix == found.prefix


def test_one_name_in_two_compositions_is_one_learner() -> None:
    """The accents of macOS' file names are composed."""
    assert 1 == len({who for who, _ in assigned("zoe\u0308/clip.py", "zo\u00eb/scan.py")})


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["hw/ann/clip.py", "hw/bob/clip.py"], ("hw",)),
        (["hw/doe_1_2_clip.py", "hw/roe_3_4_clip.py"], ("hw",)),
        (["hw/ann_clip.py", "hw/bob_clip.py"], ("hw",)),
        (["hw/week/ann/clip.py", "hw/week/bob/clip.py"], ("hw", "week")),
        (["hw/week/ann_clip.py", "hw/week/bob_clip.py"], ("hw", "week")),
        (["ann/src/clip.py", "ann/src/scan.py"], ()),
        (["ann/src/01_basics/clip.py", "ann/src/02_loops/scan.py"], ()),
        (["ann/clip.py", "ann/scan.py"], ()),
        (["ann/clip.py", "ann/notes.py"], ()),
        (["ann/01_basics/clip.py", "ann/02_loops/scan.py"], ()),
        (["ann/clip.py", "bob/clip.py"], ()),
        (["Jane Doe_42_assignsubmission_file_/a/clip.py"], ()),
    ],
)
def test_a_folder_around_everything_is_not_a_learner(
    files: list[str], found: tuple[str, ...]
) -> None:
    """Many programs pack a folder with its name."""
    assert found == wrapper([tuple(file.split("/")) for file in files], LESSONS, "pile")


def test_the_order_is_natural() -> None:
    """Numbers are compared as numbers, and letters without regard to their case."""
    names = ["s10", "S2", "s1", "b", "A", "s03", "s0"]
    assert ["A", "b", "s0", "s1", "S2", "s03", "s10"] == sorted(names, key=natural)


def test_a_very_long_number_is_sorted() -> None:
    """A name may be all digits, more than Python converts."""
    assert ["9", "9" * 9000] == sorted(["9" * 9000, "9"], key=natural)
