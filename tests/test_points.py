"""Tests reading what lessons and checks are worth, and counting points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from jaxtutor.core.data.verdicts import CheckResult, CheckStatus
from jaxtutor.core.grading.points import (
    PointsError,
    count_points,
    decimal,
    equal_points,
    read_points,
    unknown_checks,
)

TABLE = """
total = 20
late = 0.5

[lessons.clip]
points = 12
checks = { import = 1.5, values = 6.5, gradient = 4 }

[lessons.scan]
points = 6
partial = true

[lessons.map]
points = 2
"""
LESSONS = ["clip", "scan", "map", "other"]
POINTS = read_points(TABLE, LESSONS)


def checks(**statuses: CheckStatus) -> list[CheckResult]:
    return [CheckResult(name, "", status) for name, status in statuses.items()]


def earned(lesson: str, given: list[CheckResult], late: bool = False) -> Fraction:
    passed = all(check.status == "passed" for check in given) and bool(given)
    return count_points(POINTS, lesson, passed, given, late)


def test_points_add_up() -> None:
    """The total is that of the lessons."""
    assert (Fraction(20), Fraction(1, 2)) == (POINTS.total, POINTS.late)


@pytest.mark.parametrize(
    ("lesson", "given", "points"),
    [
        ("clip", {"import": "passed", "values": "passed", "gradient": "passed"}, 12),
        ("clip", {"import": "passed", "values": "passed", "gradient": "failed"}, 8),
        ("clip", {"import": "passed", "values": "failed", "gradient": "skipped"}, Fraction("1.5")),
        ("clip", {}, 0),
        ("scan", {"import": "passed", "values": "failed", "leaks": "skipped"}, 2),
        ("scan", {}, 0),
        ("map", {"import": "passed", "values": "failed"}, 0),
        ("map", {"import": "passed"}, 2),
        ("other", {"import": "passed"}, 0),
    ],
)
def test_points_are_counted(
    lesson: str, given: dict[str, CheckStatus], points: int | Fraction
) -> None:
    """By check, in equal parts, or all or nothing; a skipped check gets none."""
    assert points == earned(lesson, checks(**given))


def test_of_two_checks_with_one_name_both_count() -> None:
    """The points of a name are given if every check of that name passed."""
    given = [*checks(values="passed"), *checks(values="failed")]
    assert 0 == earned("clip", given)


def test_late_points_are_reduced() -> None:
    """A file that came late gets the factor's part."""
    assert 1 == earned("map", checks(values="passed"), late=True)


def test_decimal_fractions_are_exact() -> None:
    """Ten times a tenth is one, which it is not in binary fractions."""
    lessons = [f"l{n}" for n in range(10)]
    table = "total = 1\n" + "".join(f"[lessons.{name}]\npoints = 0.1\n" for name in lessons)
    assert 1 == read_points(table, lessons).total


def test_without_a_table_a_lesson_is_one_point() -> None:
    """Grades without --points count lessons."""
    points = equal_points(["clip", "scan"])
    assert (Fraction(2), True) == (points.total, points.is_default)


def test_a_check_that_the_lesson_lacks_is_found() -> None:
    """A typing error in a table would cost everybody its points."""
    assert ["import", "gradient"] == unknown_checks(POINTS, "clip", checks(values="passed"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("total = 20", "total = 25"), "total is 25, but the lessons add up to 20."),
        (("total = 20", ""), "total is missing. The lessons add up to 20."),
        (("gradient = 4", "gradient = 3"), "points is 12, but its checks add up to 11."),
        (("points = 2", "points = -2"), "lessons.map.points is -2"),
        (("points = 2", "points = nan"), "not a number"),
        (("points = 2", "points = true"), "lessons.map.points is True, not a number"),
        (("points = 2", "points = '2'"), "lessons.map.points is '2', not a number"),
        (("points = 2", "points = 1e300"), "at most 1 million"),
        (("points = 2", f"points = {'9' * 5000}"), "not valid TOML"),
        (("points = 2", "point = 2"), "lessons.map has 'point'. Known are points"),
        (("points = 2", ""), "lessons.map has no points"),
        (("late = 0.5", "late = 1.5"), "late is 1.5. It is a factor between 0 and 1"),
        (("late = 0.5", "lat = 0.5"), "the file has 'lat'"),
        (("lessons.map", "lessons.maps"), "The course has no lesson 'maps'"),
        (("partial = true", "partial = 'yes'"), "Choose true or false"),
        (("partial = true", "partial = true\nchecks = { a = 6 }"), "either a table of checks"),
        (("[lessons.clip]", "[lessons.clip"), "It is not valid TOML"),
    ],
)
def test_a_table_that_is_wrong_is_refused(change: tuple[str, str], says: str) -> None:
    """The message says where, and gives the sum."""
    with pytest.raises(PointsError) as raised:
        read_points(TABLE.replace(*change), LESSONS)
    assert says in str(raised.value)


def test_a_lesson_is_a_table() -> None:
    """A bare number is answered with what to write."""
    with pytest.raises(PointsError, match=r"Write points = 2 below \[lessons.map\]"):
        read_points("total = 2\n[lessons]\nmap = 2\n", LESSONS)


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(1, 3), "0.3333"), (Fraction(20), "20"), (Fraction("7.50"), "7.5")]
)
def test_points_are_written_shortly(value: Fraction, text: str) -> None:
    """At most four digits, and no zeros at the end."""
    assert text == decimal(value)
