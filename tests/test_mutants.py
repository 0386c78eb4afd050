"""Tests the changes that `lesson test --mutants` makes to solutions, and what it says of them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.judging.definitions import needed_by
from jaxtutor.core.judging.mutants import mutants
from jaxtutor.grading import mutation
from jaxtutor.grading.mutation import read_reasons, survey
from json_page import broken_promises
from trials.sample_lessons import make_checker, make_lesson
from trials.sample_projects import make_project

LOOSE = """from jaxtutor.core.vocabulary import Call

EXAMPLES = [Call(0.0).gives(0.0)]
"""


def lines(source: str) -> list[str]:
    """Return the changed lines of a program."""
    return [mutant.after for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("y = a + b", ["y = (a - b)", "y = a", "y = b"]),
        ("y = a - b", ["y = (a + b)", "y = a", "y = b", "y = (b - a)"]),
        ("y = a < b", ["y = (a <= b)", "y = (a > b)"]),
        ("y = x.sum(axis=0)", ["y = x.mean(axis=0)", "y = x.sum()", "y = x.sum(axis=1)"]),
        ("y = f(x)", ["y = x"]),
        ("y = f(a, b)", ["y = f(b, a)"]),
        ("y = f(a, b, c)", ["y = f(b, a, c)", "y = f(a, c, b)"]),
        ("y = [a, b]", ["y = [b, a]"]),
        ("y = x[i]", ["y = x[i - 1]", "y = x[i + 1]"]),
        (
            "y = x.at[i].add(v)",
            ["y = x.at[i].set(v)", "y = v", "y = x.at[i - 1].add(v)", "y = x.at[i + 1].add(v)"],
        ),
        ("y = jnp.add(v)", ["y = v"]),
        ("y = x[1:].T", ["y = x[1:]", "y = x.T", "y = x[2:].T", "y = x[0:].T"]),
        ("y = x**k", ["y = x", "y = abs(x)"]),
        ("y = x.min()", ["y = x.max()", "y = x.mean()"]),
        ("y = jnp.where(c, a, b)", ["y = jnp.where(c, b, a)"]),
        ("y = jnp.maximum(a, b)", ["y = jnp.minimum(a, b)"]),
        ("return_ = a, b", ["return_ = (b, a)"]),
        ("y = -x", ["y = x"]),
        ("y = x[-1]", ["y = x[-2]", "y = x[-0]"]),
        ("y = 2.0", ["y = 4.0"]),
        ("y = True", ["y = False"]),
        ("y = x", []),
        ("y = x, x", []),
        ("y = f('a', 'a')", []),
        ("y = zip(a, b, strict=True)", ["y = zip(b, a, strict=True)"]),
        ("y = x[None, :]", []),
    ],
)
def test_an_expression_is_changed_as_a_learner_could_have_written_it(
    source: str, changed: list[str]
) -> None:
    """Each change is in one place, and a symmetric function keeps the order of its arguments."""
    assert changed == lines(source)


@pytest.mark.parametrize(
    ("source", "slips"),
    [
        ("y = 2 * x", ["`/` stands in the place of `*`", "a factor of 2 is left out"]),
        ("y = x / 2", ["a division by 2 is left out", "the two sides of a `/` are swapped"]),
        ("y = 1 - x", ["`1 -` is left out"]),
        ("y = a - b", ["a term is left out"]),
        ("y = x**2", ["a square is left out"]),
        ("y = a @ b", ["a matrix product is left out", "the two sides of a `@` are swapped"]),
        ("y = x.mean()", ["`sum` stands in the place of `mean`"]),
        ("y = f(x, axis=1)", ["`axis` of `f` is left out", "a number is 0 in place of 1"]),
        ("y = cond(a, f, g)", ["two arguments of `cond` are swapped"]),
        ("y = jnp.sqrt(x)", ["`sqrt` is left out"]),
        ("y = jnp.mean(x**2)", ["a power is taken after `mean` and not before"]),
        ("y = a * x + b * y", ["the weights of a sum are swapped"]),
        ("y = r + 0.9 * x", ["a factor of one term multiplies the whole sum"]),
        ("y = a * x", ["`+` stands in the place of `*`"]),
        ("y = x[1:]", ["`[1:]` is left out"]),
        ("y = -x", ["a minus sign is left out"]),
        ("y = a <= b", ["`<` stands in the place of `<=`"]),
        ("y = f(True)", ["`False` stands in the place of `True`"]),
    ],
)
def test_a_change_says_what_is_wrong_with_it(source: str, slips: list[str]) -> None:
    """The words are about what the learner wrote, and never show a line."""
    said = [mutant.slip for mutant in mutants(source)]

    assert set(slips) <= set(said)


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ("", {1, 5, 9, 12}),
        ("def f(x):\n    return -x  # a sign\n\nh(g, 2)\n", {1, 9}),
        ("def f(x):\n    return +x\n\nA = [f, g]\n", {5, 9, 12}),
        ("def f(x:", {1, 5, 9, 12}),
    ],
)
def test_what_a_starter_gives_is_not_changed(given: str, lines: set[int]) -> None:
    """A statement that the starter has too stays as it is; one that it has otherwise is changed."""
    source = "A = [f, g]\n\n\ndef f(x):\n    return -x\n\n\ndef g(x):\n    return f(x) + 1\n\n\n"

    assert lines == {mutant.line for mutant in mutants(source + "h(g, 2)\n", given)}


@pytest.mark.parametrize(
    ("source", "absent"),
    [
        ("y = (a - b) ** 2", "(b - a)"),
        ("y = jnp.abs(a - b)", "(b - a)"),
        ("y = jnp.linalg.norm(a - b, axis=0)", "(b - a)"),
        ("y = max(a, b)", "max(b, a)"),
        ("y = x.swapaxes(0, 1)", "swapaxes(1, 0)"),
        ("raise ValueError(a)", "raise a"),
    ],
)
def test_a_change_that_says_the_same_is_not_made(source: str, absent: str) -> None:
    """A sign that is lost again, two equal arguments and the text of an error are not changed."""
    assert not [it.after for it in mutants(source) if absent in it.after]


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("y = (a - b) ** 3", "y = ((b - a)) ** 3"),
        ("y = jnp.max(a, b)", "y = jnp.max(b, a)"),
        ("raise f(a - 1)", "raise f(a + 1)"),
    ],
)
def test_a_change_that_says_something_else_is_made(source: str, made: str) -> None:
    """An odd power keeps the sign, `jnp.max` has an axis, and what is raised is computed."""
    assert made in {it.after.replace("(a + 1)", "a + 1") for it in mutants(source)}


def test_two_lines_are_swapped() -> None:
    """A value may be stored before it is updated; a docstring stays where it is, as text does."""
    first, second = "    x = x + é\n", "    xs.append(x)\n"
    source = f'def f(x):\n    """É."""\n{first}{second}    return xs\n'
    (swapped,) = [it for it in mutants(source) if it.slip == "two lines are swapped"]

    assert source.replace(first + second, second + first) == swapped.source


@pytest.mark.parametrize(
    ("first", "second", "swapped"),
    [
        ("y = a", "z = b", 0),
        ("y = f(a)", "z = g(a)", 0),
        ("y = a", "z = y", 1),
        ("y = a", "a = b", 1),
        ("y[0] = a", "z = y", 1),
        ("y = a", "y = b", 1),
        ("y = a", "f(b)", 1),
    ],
)
def test_lines_that_have_nothing_to_do_with_one_another_stay(
    first: str, second: str, swapped: int
) -> None:
    """Two assignments are swapped only if one of them sets a name of the other."""
    source = f"def f(x):\n    {first}\n    {second}\n"

    assert swapped == sum(it.slip == "two lines are swapped" for it in mutants(source))


def test_what_a_definition_needs_is_found_through_others() -> None:
    """Functions and constants count, whatever calls them does not."""
    text = "N = 2\n\ndef a(x): return N * x\n\ndef b(x): return a(x)\n\ndef c(x): return b(x)\n"

    assert {"N", "a", "b"} == needed_by(text, "b")
    assert frozenset() == needed_by(text, "missing") == needed_by("(", "b")


def test_every_change_is_a_program_and_no_two_are_the_same() -> None:
    """Texts that are not ASCII, and expressions of several lines, are replaced where they are."""
    source = 'é = "é", max(\n    1,\n    x * 2.5,\n)  # é\nz = é[0] + 3\n'
    found = list(mutants(source))

    assert len({mutant.source for mutant in found}) == len(found) > 8
    assert all(ast.parse(mutant.source) for mutant in found)
    assert (3, "x * 2.5,", "x * 5.0,") in [(it.line, it.before, it.after) for it in found]


def test_changes_that_no_case_notices_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With one case, 0 to 0, a wrong factor passes; a term that is added does not."""
    lesson = tmp_path / "mine" / "01_first" / "01_double"
    make_lesson(lesson, {"checks.py": LOOSE})
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    status = run(["lesson", "test", str(lesson), "--mutants", "--json"])
    report = json.loads(capfd.readouterr().out)

    assert (0, []) == (status, broken_promises(report, "lesson-test-mutants"))
    (solution,) = report["solutions"]
    assert 0 < len(solution["passing"]) <= solution["tried"]
    assert any("3" in it["after"] for it in solution["passing"])


def test_mutants_and_gates_are_not_asked_for_together(capfd: pytest.CaptureFixture[str]) -> None:
    """`--only` names gates, and none of them runs."""
    assert 2 == run(["lesson", "test", "3.1", "--mutants", "--only", "starter"])
    assert "--mutants runs no gates" in capfd.readouterr().err


REASONED = (
    LOOSE
    + """
RIGHT_TOO = {
    "return 3 * x  # a Python number is weakly typed": "Zero times three is zero.",
    "return 7 * x": "It is no longer made.",
}
"""
)


def test_a_change_with_a_reason_is_counted_and_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A reason that no passing change needs is named."""
    lesson = tmp_path / "mine" / "01_first" / "01_double"
    make_lesson(lesson, {"checks.py": REASONED})
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JAXTUTOR_TRUST_COURSE", "yes")
    run(["lesson", "test", str(lesson), "--mutants", "--plain"])
    printed = capfd.readouterr().out

    assert ", 1 with a reason\n" in printed
    assert "    2: return 3 * x" not in printed
    assert "No change that passes reads as the line in checks.py: return 7 * x\n" in printed
    assert "with a reason. For each of the others, a case may" in printed


@pytest.mark.parametrize(
    "checks", ["", "RIGHT_TOO = 3", "RIGHT_TOO = {}", "RIGHT_TOO = {1: 'one', **more, 'a': b}"]
)
def test_reasons_are_texts(checks: str) -> None:
    """A reason is a text beside a text."""
    assert {} == read_reasons(checks)


def test_of_a_step_its_own_definitions_are_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What earlier steps define is changed in those."""
    course = make_project(tmp_path / "course")
    monkeypatch.setattr(mutation, "_passes", lambda *_: True)
    surveys = list(survey(course.projects[0].lessons, make_checker(tmp_path), 1))

    assert [{"double"}, {"fourfold"}, {"eightfold"}] == [
        {name for it in found.passing for name in changed_functions(found.lesson, it.source)}
        for found in surveys
    ]


def changed_functions(lesson: Lesson, source: str) -> list[str]:
    """Return the names of the functions of a solution that read otherwise in a changed text."""
    before, after = ast.parse(lesson.solution).body, ast.parse(source).body
    pairs = zip(before, after, strict=True)
    return [
        old.name
        for old, new in pairs
        if isinstance(old, ast.FunctionDef) and ast.dump(old) != ast.dump(new)
    ]
