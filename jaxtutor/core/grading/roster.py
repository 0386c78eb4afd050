"""Reads the list of a course's learners, and finds the one that handed in a file.

The columns are those that Canvas, Moodle and Gradescope export, so that their own lists serve.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

COLUMNS = {
    "name": ("student", "name", "full name", "fullname", "student name", "learner"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "id": ("id", "canvas user id", "user id", "identifier"),
    "number": ("sis user id", "id number", "idnumber", "sid", "student id", "number"),
    "login": ("sis login id", "username", "user name", "login", "login id", "github"),
    "email": ("email", "email address", "e-mail", "mail"),
    "section": ("section", "sections", "group", "groups"),
    "aliases": ("alias", "aliases"),
    "submitted": ("submitted", "submitted at"),
    "deadline": ("deadline", "extension"),
}
"""The titles that are read, in lower case, by what they say; other columns are ignored."""

UNIQUE = ("id", "number", "login", "email")
DELIMITERS = ",;\t"
ALIAS_SEPARATOR = "|"

_NOT_LEARNERS = re.compile(r"\s*points possible|student, test$|test student$", re.IGNORECASE)
"""The name in rows of Canvas' gradebook that are not learners."""

_POSTING = re.compile(r"\s*(muted|manual posting.*)?\s*", re.IGNORECASE)
"""The cells of the row in which Canvas says how grades are posted."""


class RosterError(ValueError):
    """A roster that cannot be used; the message names the row."""


class Student(Struct, frozen=True, kw_only=True):
    """A learner of the course.

    `id` is the number in the LMS, `number` that of the institution. `row` is the line of the table.
    """

    name: str
    row: int
    id: str = ""
    number: str = ""
    login: str = ""
    email: str = ""
    section: str = ""
    aliases: tuple[str, ...] = ()
    submitted: datetime | None = None
    deadline: datetime | None = None

    @property
    def keys(self) -> Iterator[str]:
        """What may stand for this learner in the name of a file, apart from the name."""
        yield from filter(None, (self.id, self.number, self.login, self.email, *self.aliases))


# ---------------------------------------------------------------- reading


def read_roster(data: bytes) -> tuple[Student, ...]:
    """Return the learners in a CSV file. Raises RosterError."""
    text = _decode(data)
    if not text.strip():
        raise RosterError("It is empty. The first row must have the titles of the columns.")
    (_, titles), *rest = _rows(text)
    places = _places(titles)
    found = [
        student
        for number, cells in rest
        if any(cell.strip() for cell in cells)
        and (student := _student(number, cells, titles, places)) is not None
    ]
    if not found:
        raise RosterError("It has titles, but not one learner.")
    _refuse_doubles(found)
    return tuple(found)


def _decode(data: bytes) -> str:
    """Decode UTF-8 with or without a byte order mark, or UTF-16 with one."""
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise RosterError(
            f"Row {row} is not UTF-8 text. Save the file as UTF-8; Excel calls that 'CSV UTF-8'."
        ) from None
    if "\0" in text:
        raise RosterError("It contains null bytes, so it is not a table. Save it as CSV in UTF-8.")
    return text


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row; the number is that of its last line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)  # a comma, if the title row has none of them
    # Not `splitlines`: a name may contain a line separator of Unicode.
    lines = (f"{line}\n" for line in text.split("\n"))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise RosterError(f"Row {reader.line_num} is not valid CSV: {error}.") from None


def _places(titles: Sequence[str]) -> Mapping[str, int]:
    """Return the column of each field. Raises RosterError if nobody could be identified."""
    plain = [" ".join(title.casefold().split()) for title in titles]
    places = {
        field: plain.index(name)
        for field, names in COLUMNS.items()
        if (name := next((it for it in names if it in plain), None)) is not None
    }
    if not {"name", "first", "last", *UNIQUE} & places.keys():
        listed = ", ".join(repr(title) for title in titles if title.strip()) or "no titles"
        raise RosterError(
            f"Row 1 has {listed}, and no column that identifies a learner: one of Student, Name, "
            "First name, Last name, ID, SIS User ID, SIS Login ID, Username, Email."
        )
    return places


def _student(
    row: int, cells: Sequence[str], titles: Sequence[str], places: Mapping[str, int]
) -> Student | None:
    """Return the learner in a row; None for a row of Canvas' gradebook that is not a learner."""
    if len(cells) > len(titles) and any(cell.strip() for cell in cells[len(titles) :]):
        raise RosterError(
            f"Row {row} has {len(cells)} cells, the title row {len(titles)}. "
            "Put a cell that contains the separator in quotes."
        )

    def cell(field: str) -> str:
        place = places.get(field)
        text = cells[place] if place is not None and place < len(cells) else ""
        return unicodedata.normalize("NFC", text.strip())

    name = cell("name") or " ".join(filter(None, (cell("first"), cell("last"))))
    if _NOT_LEARNERS.match(name) or all(_POSTING.fullmatch(text) for text in cells):
        return None
    student = Student(
        name=name or next(filter(None, map(cell, UNIQUE)), ""),
        row=row,
        id=cell("id").removeprefix("Participant ").strip(),
        number=cell("number"),
        login=cell("login"),
        email=cell("email"),
        section=cell("section"),
        aliases=tuple(filter(None, map(str.strip, cell("aliases").split(ALIAS_SEPARATOR)))),
        submitted=_time(row, cell("submitted")),
        deadline=_time(row, cell("deadline")),
    )
    if not student.name:
        raise RosterError(f"Row {row} has neither a name nor anything else to identify a learner.")
    return student


def _time(row: int, text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise RosterError(
            f"Row {row} has {text!r}, which is not a time such as 2026-11-20 23:59 or "
            "2026-11-20T23:59+01:00."
        ) from None


def _refuse_doubles(students: Sequence[Student]) -> None:
    fields: tuple[tuple[str, Callable[[Student], Iterable[str]]], ...] = (
        ("id", lambda it: [it.id]),
        ("number", lambda it: [it.number]),
        ("login", lambda it: [it.login]),
        ("email", lambda it: [it.email]),
        ("alias", lambda it: it.aliases),
        # Two learners may have one name, if something else distinguishes them.
        ("name", lambda it: [] if any(it.keys) else [it.name]),
    )
    for field, read in fields:
        rows: dict[str, int] = {}
        for student in students:
            for value in filter(None, read(student)):
                before = rows.setdefault(value.casefold(), student.row)
                if before != student.row:
                    raise RosterError(
                        f"Row {student.row} has the {field} {value!r}, as row {before} has."
                    )


# ---------------------------------------------------------------- who handed in a file


class Person(Struct, frozen=True):
    """A learner as the files say: a name, and the number in the LMS if there is one.

    `keys` are a number of the institution or an address, which an LMS vouches for.
    """

    name: str
    id: str = ""
    keys: tuple[str, ...] = ()


def recognize(people: Iterable[Person], students: Sequence[Student]) -> dict[Person, Student]:
    """Return the students that files belong to, where that is certain.

    Keys decide, then the number in the LMS; where a student has another one, an equal name is not
    enough.
    If the numbers contradict the names, or are not on the roster at all, they are of another kind,
    and only names count.
    """
    people = list(people)
    by_id = {student.id: student for student in students if student.id}
    by_key = _unambiguous((key.casefold(), it) for it in students for key in it.keys)
    by_name = _unambiguous((key, it) for it in students for key in name_keys(it.name))
    named = {person: by_name.get(_squash(person.name)) for person in people}
    agree = [by_id[it.id] is named[it] for it in people if it.id in by_id and named[it]]
    are_of_one_kind = any(it.id in by_id for it in people) and 2 * sum(agree) >= len(agree)
    found: dict[Person, Student] = {}
    for person in people:
        sure = next(filter(None, (by_key.get(key.casefold()) for key in person.keys)), None)
        if sure is not None:
            found[person] = sure
            continue
        student = by_key.get(person.name.casefold()) or named[person]
        if are_of_one_kind and person.id:
            is_other = student is not None and student.id not in ("", person.id)
            student = by_id.get(person.id) or (None if is_other else student)
        if student is not None:
            found[person] = student
    return found


def _unambiguous(pairs: Iterable[tuple[str, Student]]) -> dict[str, Student]:
    """Return what has one student only."""
    found: defaultdict[str, dict[int, Student]] = defaultdict(dict)
    for key, student in pairs:
        found[key][student.row] = student
    return {key: next(iter(them.values())) for key, them in found.items() if len(them) == 1}


def name_keys(name: str) -> Iterator[str]:
    """Yield the ways in which a name is written without spaces, such as Canvas' `doejane`.

    For "Jane van Doe", these are janevandoe, vandoejane and doejanevan.
    """
    words = [_squash(word) for word in re.split(r"[\s,]+", name)]
    words = [word for word in words if word]
    for first in range(len(words)):
        yield "".join((*words[first:], *words[:first]))


def _squash(name: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", name).casefold()))


def same_names(students: Iterable[Student]) -> frozenset[str]:
    """Return the names that several students have."""
    counts = Counter(student.name for student in students)
    return frozenset(name for name, count in counts.items() if count > 1)
