"""Tests that words of the field are explained before they are used, on pages and in verdicts."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from builders import equation, jaxpr
from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Cost
from jaxtutor.core.data.lessons import put_task_first
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging.fault_texts import SAYS
from jaxtutor.core.learning.terms import Glossary, Term
from jaxtutor.display.render import MOST_TERMS, Renderer
from jaxtutor.display.theme import FANCY, make_theme
from jaxtutor.session import panel

COURSE = load_course(None)
TERMS = Library().terms
PLACES = {lesson.slug: place for place, lesson in enumerate(COURSE.every_lesson)}
GLOSSARY = Glossary(TERMS, PLACES)
FIRST, LATER = COURSE.lessons[0].slug, "compile-ahead"
PROGRAM = jaxpr(1, 1, equation("sin", 1, 0))
PASSED = Verdict(
    status="passed",
    lesson=FIRST,
    headline="",
    checks=(CheckResult("import", "The file runs.", "passed"),),
    seconds=0.0,
    device="cpu:0",
    jax_version="",
    jaxpr=PROGRAM,
    reference_jaxpr=PROGRAM,
    cost=Cost(9, 128),
    reference_cost=Cost(9, 128),
)
LEAK = replace(
    PASSED,
    status="failed",
    headline="A tracer is left behind",
    checks=(CheckResult("leaks", SAYS["leaks"], "failed"),),
)


def page_of(lesson: Lesson) -> str:
    """Return a page in the order in which it is read."""
    return "\n\n".join(put_task_first(lesson.page))


def drawn(verdict: Verdict, below_editor: bool = False) -> str:
    """Return a verdict as it is shown in our course."""
    console = Console(file=io.StringIO(), theme=make_theme(), width=300, color_system=None)
    renderer = Renderer(console, FANCY, GLOSSARY)
    if not below_editor:
        console.print(renderer.verdict(verdict, ""))
    elif verdict.status == "passed":
        console.print(*panel.draw_pass(renderer, verdict, "", ""))
    else:
        console.print(*panel.draw_verdict(renderer, verdict, ""))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


# ---------------------------------------------------------------- terms and pages


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_term_is_introduced_by_its_lesson(term: Term) -> None:
    """The lesson exists and has the term, and the sentence about the term has it too."""
    assert term.find(page_of(COURSE.find(term.lesson)))
    assert term.says.count(". ") <= 1
    assert term.says.endswith(".")
    assert term.name.casefold().strip("`") in term.says.casefold() or term.find(term.says)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_page_uses_a_term_only_once_it_is_explained(term: Term) -> None:
    """A lesson before that of a term does not have it, or says by then what it means."""
    for lesson in COURSE.every_lesson[: PLACES[term.lesson]]:
        page, own = page_of(lesson), term.explained.get(lesson.slug)
        found = term.find(page)
        if found is None:
            assert own is None, f"{lesson.slug} does not use {term.name}"
            continue
        end = page.find("\n\n", found.end())
        assert own is not None, f"{lesson.slug} uses {term.name} before {term.lesson}"
        assert own in page[:end], f"{lesson.slug} uses {term.name} and explains it later"


def test_terms_stand_in_the_order_of_the_course() -> None:
    """The table can be read from its top: a term comes after those of earlier lessons."""
    places = [PLACES[term.lesson] for term in TERMS]

    assert sorted(places) == places


def test_a_sentence_about_a_term_needs_no_later_one() -> None:
    """No sentence has a term that a later lesson introduces."""
    for term in TERMS:
        others = GLOSSARY.explain_new(term.says, term.lesson)
        assert [] == [says for says in others if says != term.says], term.name


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize("below_editor", [False, True])
def test_a_first_pass_has_no_unknown_word(below_editor: bool) -> None:
    """The first pass speaks of operations; later ones of a jaxpr, equations and FLOPs."""
    first = drawn(PASSED, below_editor)
    later = drawn(replace(PASSED, lesson=LATER), below_editor)

    assert "Your program is the same as the solution's: 1 operation." in first
    assert not any(word in first for word in ("jaxpr", "equation", "FLOP", "XLA"))
    assert "Your jaxpr is the same as the solution's: 1 equation." in later
    assert below_editor or "XLA estimates 9 FLOPs" in later


def test_a_program_that_differs_is_compared_in_known_words() -> None:
    """The numbers of operations are compared where no lesson has spoken of equations."""
    longer = jaxpr(1, 2, equation("sin", 1, 0), equation("cos", 2, 1))

    assert "Your program has 2 operations, the solution's has 1." in drawn(
        replace(PASSED, jaxpr=longer)
    )


def test_a_pass_explains_only_what_it_shows() -> None:
    """The checks of a pass are only counted, so their words are not explained."""
    checks = (CheckResult("leaks", SAYS["leaks"], "passed"),)

    assert "tracer" not in drawn(replace(PASSED, checks=checks))


@pytest.mark.parametrize("below_editor", [False, True])
def test_a_new_term_is_explained_below_the_verdict(below_editor: bool) -> None:
    """A verdict that has a term before its lesson ends with the sentence about it."""
    says = "A tracer stands for an array"

    assert says in drawn(LEAK, below_editor)
    assert says not in drawn(replace(LEAK, lesson="make-it-fast"), below_editor)
    assert says not in drawn(replace(LEAK, lesson="of-another-course"), below_editor)


def test_types_in_a_diagnosis_are_explained() -> None:
    """The tilde of a weak type and the type of a key are explained before their lessons."""
    found = Diagnosis(None, "", None, "f.py", None, "x", "`x` is `~float32[]`.", "")
    shown = drawn(replace(PASSED, status="raised", diagnosis=found))

    assert "A type with a tilde" in shown
    assert "A type such as `float32[3]`" not in shown  # the tilde's sentence says enough


def test_few_terms_are_explained_at_once() -> None:
    """Of many new terms those that the verdict has first are explained."""
    many = " ".join(term.name for term in TERMS[-6:])
    shown = drawn(replace(LEAK, headline=many, checks=()))

    assert MOST_TERMS == sum(term.says in shown for term in TERMS)


@pytest.mark.parametrize("lesson", COURSE.lessons[:30], ids=lambda lesson: lesson.slug)
def test_sentences_of_checks_are_known_or_explained(lesson: Lesson) -> None:
    """What the stages of a check say has no term that stays unexplained below it."""
    checks = tuple(CheckResult(name, says, "failed") for name, says in SAYS.items())
    shown = drawn(replace(LEAK, lesson=lesson.slug, checks=checks))

    for term in TERMS:
        if term.find("\n".join(SAYS.values())) and GLOSSARY.is_new(term.name, lesson.slug):
            assert term.says in shown


# ---------------------------------------------------------------- explain and search


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a new home."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_term_is_looked_up_by_each_of_its_forms(term: Term) -> None:
    """The name and the forms find the term, with capitals and without."""
    for form in (term.name, term.name.upper(), *term.forms):
        assert term == GLOSSARY.look_up(form)


def test_explain_says_what_a_term_means(home: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The page of a term is its sentence, and the lesson that introduces it."""
    assert 0 == run(["explain", "KEY<fry>"])
    shown = capsys.readouterr().out

    assert "key<fry>\n" in shown
    assert "is the dtype of a random key" in shown
    assert "jaxtutor show two-draws" in shown


def test_the_page_of_a_cause_comes_before_a_term(
    home: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole name of a page finds that page, and a term comes before a part of a name."""
    assert 0 == run(["explain", "callback", "--json"])
    assert "compiled program calls" in json.loads(capsys.readouterr().out)["page"]
    assert 0 == run(["explain", "update-result-dropped", "--json"])
    assert "update-result-dropped" == json.loads(capsys.readouterr().out)["name"]


def test_search_answers_with_a_term(home: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer is the sentence of the term, and the first page its lesson."""
    assert 0 == run(["search", "~float32[]", "--json"])
    report = json.loads(capsys.readouterr().out)

    assert "A type with a tilde" in report["answer"]
    assert "one-trace-per-dtype" == report["results"][0]["name"]
