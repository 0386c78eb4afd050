"""Tests the page that a learner gets."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import ArrayValue, Leaf, Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.grading.evidence import find_evidence
from jaxtutor.core.grading.exports import by_learner
from jaxtutor.core.grading.feedback import page, page_names
from jaxtutor.core.grading.grades import Grade, SubmittedFile, grade_of, missing, with_points
from jaxtutor.core.grading.points import equal_points
from jaxtutor.core.judging.fault_texts import TAMPERED


def number(value: float) -> Tree:
    import struct

    array = ArrayValue((), "float32", False, "f", False, struct.pack("f", value))
    return Tree("*", (Leaf("", array),))


def case(visible: bool, reason: str = "") -> CaseResult:
    return CaseResult(
        "f(SECRET)" if not visible else "f(3.0)",
        number(777.0),
        number(5.0),
        False,
        visible,
        "expected 777, got 5",
        reason=reason,
    )


def verdict(found: CaseResult | None, says: str = "The answers are right.") -> Verdict:
    detail = "for f(SECRET): expected 777, got 5"
    check = CheckResult("values", says, "failed", 0.0, detail, found, "Wrong answer: 777")
    ran = CheckResult("import", "The file runs.", "passed")
    return Verdict("failed", "clip", "Wrong answer: 777", (ran, check), 0.1, "cpu:0", "0.12")


DIAGNOSIS = Diagnosis(
    error_class=None,
    message="",
    cause="key-reused",
    file="/submission/clip.py",
    span=Span(2, 4, 2, 10),
    expression="return",
    summary="The key `k` is used <twice>.",
    advice="Split it.",
    fix=Fix("-a\n+SOLUTION", True, "SOLUTION"),
)
SOURCE = "def f(x):\n    return x < 5\n"


def drawn(made: Verdict, learner: str = "ann") -> str:
    file = SubmittedFile(learner, "clip", f"{learner}/clip.py", SOURCE)
    points = equal_points(["clip"])
    grade = with_points(grade_of(file, made), points)
    (one,) = by_learner([grade], {})
    return page(one, points, {"clip": "Safe <clip>"}, {file.file: SOURCE})


class Reader(HTMLParser):
    """Fails for a tag that is not closed, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert [] == reader.open
    return reader


def test_an_example_of_the_page_is_shown_with_both_answers() -> None:
    """The learner sees the call, what was expected and what the file returns."""
    text = read(drawn(verdict(case(True)))).text

    assert "Not passed." in text
    assert "f(3.0)" in text
    assert "- 777.0" in text
    assert "+ 5.0" in text


def test_a_hidden_answer_is_not_shown() -> None:
    """Neither the call nor any answer to it, wherever a verdict has it."""
    html = drawn(verdict(case(False, "no elements")))

    assert ("SECRET" not in html, "777" not in html) == (True, True)
    assert "A call that the page does not show gives a wrong answer: no elements." in html


@pytest.mark.parametrize("visible", [True, False])
def test_a_relation_is_shown_unless_it_quotes_an_answer(visible: bool) -> None:
    """What the answers have in common helps; an expected number may be that of a hidden call."""
    made = replace(verdict(case(visible)), relation="In all 3 calls your answer is divided by 8.")
    quoting = replace(made, relation="Your answer is wrong at NaN, and there 1 instead of 4321.")

    assert ("divided by 8" in drawn(made), "4321" in drawn(quoting)) == (True, False)


def test_what_a_meter_measured_is_not_shown() -> None:
    """The detail of a forged answer quotes a hidden call."""
    html = drawn(verdict(None, TAMPERED))
    assert ("SECRET" not in html, "777" not in html) == (True, True)


def test_a_failure_without_a_call_is_explained() -> None:
    """A check of the program says what it found."""
    made = verdict(None, "It is traced once.")
    made = replace(made, checks=(replace(made.checks[1], detail="it was traced twice"),))
    assert "It was traced twice" in read(drawn(made)).text


def test_a_diagnosis_is_shown_without_its_edit() -> None:
    """An edit may be the solution; cause, line and advice are not."""
    made = replace(verdict(None), status="raised", diagnosis=DIAGNOSIS)
    reader = read(drawn(made))

    assert "The key k is used <twice>." in reader.text
    assert "return x < 5" in reader.text
    assert "SOLUTION" not in reader.text


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "a&b",
        '"',
        "\x1b[31m",
        "\u202eann",
        "\ud800",
        "\u200bann\U000e0041",
    ],
)
def test_a_name_is_shown_and_not_obeyed(name: str) -> None:
    """A learner chooses the name, and the texts in a file."""
    html = drawn(verdict(case(True)), name)
    assert "script" not in read(html).seen
    assert not {"\x1b", "\u202e", "\u200b", "\U000e0041"} & set(html)
    html.encode()


def test_who_handed_in_nothing_has_a_page() -> None:
    """It says so."""
    (one,) = by_learner([missing("ann", "clip")], {})
    assert "Nothing was handed in." in read(page(one, equal_points(["clip"]), {}, {})).text


def test_evidence_is_of_what_failed() -> None:
    """A pass has none."""
    made = verdict(None)
    assert find_evidence(replace(made, checks=made.checks[:1])) is None


# ---------------------------------------------------------------- names of pages


@pytest.mark.parametrize(
    ("learner", "file"),
    [
        ("ann", "ann.html"),
        ("Ann Lee", "Ann Lee.html"),
        ("a/../b", "a .. b.html"),
        ("..", "learner.html"),
        ("-rf", "_-rf.html"),
        ("con", "_con.html"),
        ("a\nb", "a b.html"),
        ("", "learner.html"),
        ("🎓" * 99, "🎓" * 60 + ".html"),
    ],
)
def test_a_page_has_a_safe_name(learner: str, file: str) -> None:
    """No name leads out of the folder, is an option, or is too long."""
    assert {learner: file} == page_names([learner], {})


def test_names_of_pages_are_different() -> None:
    """Also where a file system does not distinguish upper case."""
    assert ["ann.html", "Ann-2.html", "ann-3.html"] == list(
        page_names(["ann", "Ann", "ann."], {}).values()
    )


def test_a_page_has_the_name_that_an_lms_takes_back() -> None:
    """Canvas reads both numbers, Moodle the name of the folder."""
    prefixes = {"doe": "doe_LATE_1_2_", "Jane": "Jane_42_assignsubmission_file_/", "x": "y" * 300}

    assert [
        "doe_LATE_1_2_feedback.html",
        "Jane_42_assignsubmission_file_/feedback.html",
        "x.html",
    ] == list(page_names(["doe", "Jane", "x"], prefixes).values())


def test_a_grade_survives_the_journal() -> None:
    """What a page needs is stored and sent with the grade."""
    import msgspec

    file = SubmittedFile("ann", "clip", "ann/clip.py", SOURCE)
    grade = grade_of(file, replace(verdict(case(True)), diagnosis=DIAGNOSIS))
    assert grade == msgspec.json.decode(msgspec.json.encode(grade), type=Grade)
