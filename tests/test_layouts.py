"""Tests from inside what a confined submission sees, wherever Python and private files lie."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import layouts
from jaxtutor.processes import sandbox
from layouts import Layout

PROBLEM = sandbox.find_problem()
needs_bubblewrap = pytest.mark.skipif(bool(PROBLEM), reason=PROBLEM)

TOPS = layouts.empty_folders() or ["/nowhere"]
PLAIN = Layout(
    home=f"{TOPS[-1]}/teacher",
    classroom=f"{TOPS[0]}/app",
    environment="~/.local/venv",
    submissions="C/submissions",
    roster="C/roster.csv",
    data="~/.jaxtutor",
    course="C/course",
    search="",
    directory="C",
    link="",
    is_editable=False,
)


@st.composite
def drawn(draw: st.DrawFn) -> Layout:
    """Draw where Python and the class are, and which of their folders holds what."""

    def choose(*places: str) -> str:
        return draw(st.sampled_from(places))

    homes = [f"{top}/app" for top in TOPS]
    environment = choose("C", "C/.venv", "~/.venv", *(f"{top}/venv" for top in TOPS))
    inner = [] if environment.startswith("C") else ["V/class", "V/lib/class"]
    return Layout(
        home=f"{TOPS[-1]}/teacher",
        classroom=choose("~/class", *homes, *inner),
        environment=environment,
        submissions=choose("C/submissions", "C", "V/lib/pile", "~/pile", f"{TOPS[-1]}/pile"),
        roster=choose("C/roster.csv", "V/lib/lists/roster.csv", f"{TOPS[0]}/lists/roster.csv"),
        data=choose("C/data", "~/data", "V/data", "V/lib/data"),
        course=choose("C/course", "~/course", "V/share/course", f"{TOPS[0]}/course"),
        search=choose("", "C", "C/tools", "C/submissions", "C/course/01_a", "~"),
        directory=choose("C", "~", "/"),
        link=choose("", f"{TOPS[-1]}/link", "~/deep/link"),
        is_editable=draw(st.booleans()),
    )


def look(layout: Layout) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(layouts.run("look", layout))
    return found


def check_layout(layout: Layout) -> None:
    """Assert that nothing private is readable, and that the command above names Python alone."""
    found = look(layout)

    assert ([], []) == (found["opened"], found["listed"])
    assert all(word.endswith(("/bwrap", "/python")) for word in found["named"])


@needs_bubblewrap
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(drawn())
def test_no_layout_shows_a_private_file(layout: Layout) -> None:
    """No file of another learner, of the roster, of a solution, of the teacher's can be found."""
    check_layout(layout)


@needs_bubblewrap
@pytest.mark.slow
@settings(max_examples=300, deadline=None, database=None)
@given(drawn())
def test_none_of_many_layouts_shows_a_private_file(layout: Layout) -> None:
    """The same for layouts that differ from one run to the next."""
    check_layout(layout)


def check_grades(layout: Layout) -> None:
    """Assert that a right file passes, and one that is right if it finds nothing private."""
    report = json.loads(layouts.run("grade", layout))
    rows = {row["file"]: (row["status"], row["headline"]) for row in report["grades"]}

    assert "passed" == rows["bob/double.py"][0]
    assert "passed" == rows["eve/double.py"][0], rows["eve/double.py"]


@needs_bubblewrap
@pytest.mark.slow
@settings(max_examples=20, deadline=None, database=None)
@given(drawn())
def test_a_right_submission_passes_in_every_layout(layout: Layout) -> None:
    """What is hidden is not what Python, jax or the lesson need."""
    check_grades(layout)


@needs_bubblewrap
@pytest.mark.parametrize("environment", ["~/.local/venv", "C"])
def test_a_right_submission_passes_where_private_files_lie_beside_python(environment: str) -> None:
    """`grade` passes it below a folder of the system, and in the folder of an environment."""
    check_grades(replace(PLAIN, environment=environment))


@needs_bubblewrap
def test_submissions_in_a_folder_that_python_needs_are_refused() -> None:
    """Where a private folder is one of Python's own, nothing is run, and the message names it."""
    found = look(replace(PLAIN, submissions="V/lib"))

    assert found["refused"].endswith("/lib, which has to be hidden from submissions.")
