"""Tests reading the list of a course's learners, and finding them by the names of files."""

from __future__ import annotations

from datetime import datetime

import pytest

from jaxtutor.core.grading.roster import (
    Person,
    RosterError,
    Student,
    name_keys,
    read_roster,
    recognize,
)

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Week 3 (987)
,,,,,Manual Posting
    Points Possible,,,,,20
"Doe, Jane",12345,s1,jdoe,A,
"Łuczak, Ewa",12346,s2,eluczak,B,7
"Student, Test",99999,,,A,
"""
MOODLE = """First name,Last name,ID number,Email address,Groups
Jane,Doe,s1,jane@x.org,A
"""
GRADESCOPE = "First Name,Last Name,SID,Email,Role\nJane,Doe,s1,jane@x.org,Student\n"
WORKSHEET = "Identifier,Full name,Email address,Status,Grade\nParticipant 4711,Jane Doe,j@x.org,,\n"


def names(data: str | bytes) -> list[str]:
    return [it.name for it in read_roster(data if isinstance(data, bytes) else data.encode())]


def test_the_gradebook_of_canvas_is_a_roster() -> None:
    """Of Canvas' own export, the rows that are not learners are left out."""
    jane, ewa = read_roster(CANVAS.encode())

    assert ("Doe, Jane", "12345", "s1", "jdoe", "A", 4) == (
        jane.name,
        jane.id,
        jane.number,
        jane.login,
        jane.section,
        jane.row,
    )
    assert "Łuczak, Ewa" == ewa.name


@pytest.mark.parametrize(
    ("data", "student"),
    [
        (MOODLE, Student(name="Jane Doe", row=2, number="s1", email="jane@x.org", section="A")),
        (GRADESCOPE, Student(name="Jane Doe", row=2, number="s1", email="jane@x.org")),
        (WORKSHEET, Student(name="Jane Doe", row=2, id="4711", email="j@x.org")),
    ],
)
def test_lists_of_other_systems_are_rosters(data: str, student: Student) -> None:
    """Moodle's participants and worksheet and Gradescope's roster are read as they are."""
    assert (student,) == read_roster(data.encode())


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_spreadsheets_write_is_read(delimiter: str, encoding: str, end: str) -> None:
    """Commas, semicolons or tabs, with and without a byte order mark, are the same table."""
    rows = [["Name", "Email", "Shoe size"], ["Zoë Ω", "z@x.org", "38"], ["", "", ""]]
    text = end.join(delimiter.join(row) for row in rows)

    assert ["Zoë Ω"] == names(text.encode(encoding))


def test_aliases_and_times_are_read() -> None:
    """Several aliases are separated by a bar; a deadline of one learner is a time."""
    (student,) = read_roster(b"name,alias,deadline\nAnn,gh-ann | a2,2026-11-20 23:59\n")

    assert ("gh-ann", "a2") == student.aliases
    assert datetime(2026, 11, 20, 23, 59) == student.deadline


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "It is empty"),
        (b"name\n", "not one learner"),
        (b"mark,comment\n1,2\n", "Row 1 has 'mark', 'comment'"),
        (b"name,id\nAnn,1\nBob,1\n", "Row 3 has the id '1', as row 2 has."),
        (b"name,email\nAnn,A@x\nBob,a@X\n", "Row 3 has the email 'a@X', as row 2 has."),
        (b"name,alias\nAnn,a|b\nBob,c|b\n", "Row 3 has the alias 'b', as row 2 has."),
        (b"name\nAnn\nBob\nAnn\n", "Row 4 has the name 'Ann', as row 2 has."),
        (b"name,id\nAnn,1\nDoe, Jane,2\n", "Row 3 has 3 cells, the title row 2"),
        (b"name,id\nAnn,1\n,\nZo\xeb,2\n", "Row 4 is not UTF-8 text"),
        (b'name,id\nAnn,"1\n', "Row 2 is not valid CSV"),
        (b"name,id,section\nAnn,1,\n,,B\n", "Row 3 has neither a name"),
        (b"name,deadline\nAnn,tomorrow\n", "Row 2 has 'tomorrow', which is not a time"),
        (b"name\0\n", "null bytes"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused(data: bytes, says: str) -> None:
    """The message names the row, and for a double the other one, too."""
    with pytest.raises(RosterError) as raised:
        read_roster(data)
    assert says in str(raised.value)


def test_two_learners_may_have_one_name() -> None:
    """Where something else tells them apart, an equal name is not an error."""
    assert ["Ann Lee", "Ann Lee"] == names("name,id\nAnn Lee,1\nAnn Lee,2\n")


def test_a_long_quoted_cell_counts_lines() -> None:
    """A row is named by its last line, which an editor shows."""
    with pytest.raises(RosterError, match="Row 4"):
        read_roster(b'name,id\n"An\nn",1\nBob,1\n')


# ---------------------------------------------------------------- who it is


def found(people: list[Person], data: str = CANVAS) -> dict[str, str]:
    students = recognize(people, read_roster(data.encode()))
    return {f"{person.name}/{person.id}": it.name for person, it in students.items()}


@pytest.mark.parametrize(
    "person",
    [
        Person("doejane", "12345"),
        Person("whatever", "12345"),
        Person("12345"),
        Person("S1"),
        Person("jdoe"),
        Person("Jane Doe"),
        Person("Doe, Jane"),
        Person("jane_doe"),
        Person("DoeJane"),
    ],
)
def test_a_learner_is_found(person: Person) -> None:
    """By the number in the LMS, by any other key, or by the name in either order."""
    assert ["Doe, Jane"] == list(found([person]).values())


@pytest.mark.parametrize("person", [Person("jane"), Person("doe jane anna"), Person("", "1")])
def test_half_a_name_is_not_enough(person: Person) -> None:
    """A learner is recognized only where that is certain."""
    assert {} == found([person])


def test_decomposed_accents_are_the_same_name() -> None:
    """macOS decomposes the accents of file names."""
    roster = "name\nZoë\n"
    assert ["Zoë"] == list(found([Person("Zoe\u0308")], roster).values())


def test_another_number_is_another_person() -> None:
    """A namesake who is not on the roster does not get the grades of the person on it."""
    people = [Person("luczakewa", "12346"), Person("doejane", "77777")]
    assert {"luczakewa/12346": "Łuczak, Ewa"} == found(people)


def test_numbers_of_another_kind_do_not_count() -> None:
    """Where no number is on the roster, names decide: Moodle gives participants other numbers."""
    assert {"Jane Doe/4": "Doe, Jane"} == found([Person("Jane Doe", "4")])


def test_numbers_that_contradict_the_names_do_not_count() -> None:
    """A roster may number its rows, and Moodle its participants from 1, too."""
    roster = "name,id\nAnn Lee,1\nBob Poe,2\nCat Roe,3\n"
    people = [Person("Bob Poe", "1"), Person("Ann Lee", "2"), Person("Cat Roe", "3")]
    assert {"Bob Poe/1": "Bob Poe", "Ann Lee/2": "Ann Lee", "Cat Roe/3": "Cat Roe"} == found(
        people, roster
    )


def test_a_line_separator_is_part_of_a_name() -> None:
    """Unicode has line ends that CSV does not have."""
    assert ["A\u2028B", "C\x85D"] == names("name,id\nA\u2028B,1\nC\x85D,2\n")


def test_namesakes_are_not_guessed() -> None:
    """A name that two learners have identifies neither."""
    assert {} == found([Person("Ann Lee")], "name,id\nAnn Lee,1\nAnn Lee,2\n")


def test_a_name_of_three_words_is_written_in_three_ways() -> None:
    """Which word the family name begins with is not known."""
    assert ["janevandoe", "vandoejane", "doejanevan"] == list(name_keys("Jane van Doe"))
