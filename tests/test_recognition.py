"""Tests the recognition of wrong submissions by what they answer."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from builders import tree
from jaxtutor.checks import known_mistakes
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.judging.recognition import Answers, KnownMistake, read_answers, recognise
from jaxtutor.core.judging.slip_lines import add_line
from trials.sample_lessons import make_lesson

MEAN = Answers("values", (tree([1.0, 2.0]), tree([3.0])), (), "")
SUM = Answers("values", (tree([2.0, 4.0]), tree([6.0])), (), "")
KNOWN = [
    KnownMistake("mean", "You averaged.", MEAN),
    KnownMistake("mean_again", "You averaged.", MEAN),
    KnownMistake("sum", "You added.", SUM),
]


def verdict(status: str, check: CheckResult) -> Verdict:
    """Make a verdict of one check and one call."""
    case = CaseResult("x=1", tree([1.0]), tree([2.0]), False, True)
    return Verdict(status, "l", "h", (check,), 0.1, "cpu:0", "0.12", cases=(case,))  # type: ignore[arg-type]


def test_a_submission_that_answers_alike_gets_the_sentence() -> None:
    """A submission whose answers are all those of one group of mistakes gets its sentence."""
    assert "You averaged." == recognise(MEAN, KNOWN)


def test_one_other_answer_is_enough_to_say_nothing() -> None:
    """A submission that differs from every known mistake in one call is not recognised."""
    other = replace(MEAN, values=(tree([1.0, 2.0]), tree([4.0])))

    assert "" == recognise(other, KNOWN)


def test_rounding_makes_no_difference() -> None:
    """Answers are compared with the tolerance of their dtype."""
    near = replace(MEAN, values=(tree([1.0000001, 2.0]), tree([3.0])))

    assert "You averaged." == recognise(near, KNOWN)


def test_another_dtype_is_another_answer() -> None:
    """Equal numbers of another dtype come from another mistake."""
    other = replace(MEAN, values=(tree([1, 2], "int32"), tree([3.0])))

    assert "" == recognise(other, KNOWN)


def test_a_weak_type_is_not_another_answer() -> None:
    """A learner who converts a number first has the same misconception."""
    leaves = tuple(replace(it, value=replace(it.value, weak=True)) for it in tree([3.0]).leaves)
    weak = replace(MEAN, values=(tree([1.0, 2.0]), replace(tree([3.0]), leaves=leaves)))

    assert "You averaged." == recognise(weak, KNOWN)


def test_two_sentences_that_fit_are_silence() -> None:
    """Mistakes that answer alike with different sentences recognise nothing."""
    assert "" == recognise(MEAN, [*KNOWN, KnownMistake("x", "You divided.", MEAN)])


def test_a_check_without_numbers_has_one_reason_or_none() -> None:
    """Where only traces are counted, a sentence applies if the lesson knows no other."""
    counted = Answers("traces-once", (tree([1.0]),), (), "traced 3 times in 3 calls")
    loop = KnownMistake("loop", "You compile each time.", counted)
    other = KnownMistake("other", "Your argument is static.", replace(counted, detail="9 times"))

    assert "You compile each time." == recognise(counted, [loop])
    assert "" == recognise(counted, [loop, other])


def test_a_check_that_measures_tells_mistakes_apart() -> None:
    """A measured number in the words of a check is an answer like any other."""
    third = Answers("rate", (tree([1.0]),), (), "0.33 of them, expected 0.5")
    half = replace(third, detail="0.25 of them, expected 0.5")
    known = [KnownMistake("third", "One third.", third), KnownMistake("half", "A quarter.", half)]

    assert "A quarter." == recognise(half, known)


def test_another_check_or_other_words_are_another_mistake() -> None:
    """What failed has to be the same check, with the same words where it shows no call."""
    assert "" == recognise(replace(MEAN, check="gradient"), KNOWN)
    assert "" == recognise(replace(MEAN, detail="traced twice"), KNOWN)


def test_answers_are_those_of_a_failed_submission() -> None:
    """A submission that passed, raised or timed out has no answers to recognise."""
    failed = CheckResult("values", "s", "failed", 0.1, "2 of 3")

    assert Answers("values", (tree([2.0]),), (), "2 of 3", (True,)) == read_answers(
        verdict("failed", failed)
    )
    assert read_answers(verdict("raised", failed)) is None
    assert read_answers(verdict("timed_out", failed)) is None
    assert read_answers(verdict("passed", replace(failed, status="passed"))) is None


def test_the_words_of_a_shown_call_do_not_matter() -> None:
    """Where a call is shown, its numbers count, and not the sentence about them."""
    case = CaseResult("x=1", tree([1.0]), tree([2.0]), False, True)
    failed = CheckResult("gradient", "s", "failed", 0.1, "1 of 1", case, answers=(tree([5.0]),))

    assert Answers("gradient", (tree([2.0]),), (tree([5.0]),), "", (True,), 0) == read_answers(
        verdict("failed", failed)
    )


# ---------------------------------------------------------------- nearly the same answers


def answers(*values: float, wrong: tuple[int, ...], shown: int) -> Answers:
    """Make the answers of calls that return one number each."""
    flags = tuple(n in wrong for n in range(len(values)))
    return Answers("values", tuple(map(tree, values)), (), "", flags, shown)


EDGE = answers(2.0, 3.5, 1.25, 0.0, wrong=(0, 1, 2), shown=0)
OVER_ALL = KnownMistake(
    "over_all",
    "You divide by all.",
    answers(2.0, 3.5, 1.25, float("nan"), wrong=(0, 1, 2, 3), shown=0),
)


def test_one_edge_call_may_differ_where_enough_wrong_answers_are_the_same() -> None:
    """A learner who guards the empty array divides by the wrong number all the same."""
    says = "On 3 of 4 calls, your answer is the same as with this mistake: You divide by all."
    assert says == recognise(EDGE, [OVER_ALL])


def test_wrong_answers_that_say_little_are_not_enough() -> None:
    """Zeros and NaN are what any mistake may return, and two answers may agree by chance."""
    zeros = answers(0.0, 0.0, 0.0, 4.0, wrong=(0, 1, 2), shown=0)
    known = replace(OVER_ALL, answers=answers(0.0, 0.0, 0.0, 5.0, wrong=(0, 1, 2, 3), shown=0))
    few = answers(2.0, 3.5, 1.0, 0.0, wrong=(0, 1), shown=0)

    assert "" == recognise(zeros, [known])
    assert "" == recognise(few, [OVER_ALL])


def test_the_call_that_the_learner_sees_must_be_the_same() -> None:
    """A sentence about other calls than the one on the screen would confuse."""
    assert "" == recognise(replace(EDGE, shown=3), [OVER_ALL])


def test_two_sentences_that_nearly_fit_are_silence() -> None:
    """Two known mistakes that agree with most calls recognise nothing."""
    other = replace(OVER_ALL, says="You forgot the mask.")

    assert "" == recognise(EDGE, [OVER_ALL, other])


SLIPS = [
    KnownMistake("slip 0", "`sum` stands in the place of `mean`", SUM),
    KnownMistake("slip 1", "a number is 1 in place of 2", SUM),
]


def test_a_slip_has_the_words_of_the_first_change_that_answers_alike() -> None:
    """Two wrong answers that are those of a changed solution name the change."""
    wrong = replace(SUM, wrong=(True, True))
    expected = "Your answers are those of a right program in which "

    assert f"{expected}`sum` stands in the place of `mean`." == recognise(wrong, [], None, SLIPS)


def test_what_the_author_wrote_comes_before_a_slip() -> None:
    """The sentence of a known mistake with the same answers says more."""
    assert "You added." == recognise(replace(SUM, wrong=(True, True)), KNOWN, None, SLIPS)


def test_one_wrong_answer_is_no_slip() -> None:
    """A single wrong answer, or only zeros, may be that of many programs."""
    zeros = replace(SUM, values=(tree([0.0]), tree([0.0])), wrong=(True, True))
    slip = KnownMistake("slip", "a minus sign is left out", replace(zeros, wrong=()))

    assert "" == recognise(replace(SUM, wrong=(True, False)), [], None, SLIPS)
    assert "" == recognise(zeros, [], None, [slip])


SOURCE = """
def mean(x):
    total = x.sum() - x.min()
    return jnp.where(x < 0, total, f(x, x))


def other(x):
    return x.sum() - x
"""


@pytest.mark.parametrize(
    ("slip", "line"),
    [
        ("`sum` stands in the place of `mean`", 3),
        ("`-` stands in the place of `+`", 3),
        ("`<` stands in the place of `<=`", 4),
        ("two arguments of `where` are swapped", 4),
        ("`axis` of `f` is left out", 4),
        ("`x` stands in the place of `y`", None),
        ("`sum` is left out", None),
        ("`*` stands in the place of `/`", None),
    ],
)
def test_a_slip_names_the_only_line_it_can_be_in(slip: str, line: int | None) -> None:
    """The line is that of the wrong word in what the lesson's function needs, if there is one."""
    says = f"Your answers are those of a right program in which {slip}."

    expected = f"{says} Look at line {line}." if line else says
    assert expected == add_line(says, SOURCE, "mean")
    assert says == add_line(says, SOURCE, "missing")


def name_for(status: Any, checks: tuple[CheckResult, ...] = (), patience: float = 0.0) -> str:
    """Name the misconception of a verdict that has nothing but a status and its checks."""
    verdict = Verdict(status, "double", "", checks, 0.0, "", "")
    nothing: Any = None
    lesson: Any = SimpleNamespace(info=SimpleNamespace(tolerance=None))
    return known_mistakes.name_misconception(nothing, lesson, 0, verdict, patience)


@pytest.mark.parametrize(("patience", "expected"), [(30.0, "You averaged."), (0.0, "")])
def test_a_command_waits_for_mistakes_that_fail_the_same_check(
    patience: float, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first wrong answer is recognised as soon as the mistakes of its check have been run."""
    place = tmp_path / "answers.bin"
    monkeypatch.delenv(known_mistakes.OFF, raising=False)
    monkeypatch.setattr(known_mistakes, "_place", lambda *_: place)

    def begin(*given: Any) -> None:
        known = [KnownMistake("mean", "You averaged.", Answers(given[-2], (), (), "1.5"))]
        place.with_suffix(".lock").touch()
        place.write_bytes(msgspec.msgpack.encode(known_mistakes.Kept(known, given[-2])))

    monkeypatch.setattr(known_mistakes, "_begin", begin)
    failed = CheckResult("mean", "says", "failed", detail="1.5")

    assert expected == name_for("failed", (failed,), patience)


def test_the_mistakes_of_another_check_are_not_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While only the mistakes of one check have been run, a failure of another is not named."""
    place = tmp_path / "answers.bin"
    known = [KnownMistake("mean", "You averaged.", Answers("mean", (), (), "1.5"))]
    place.write_bytes(msgspec.msgpack.encode(known_mistakes.Kept(known, "values")))
    monkeypatch.setattr(known_mistakes, "_place", lambda *_: place)
    failed = CheckResult("mean", "says", "failed", detail="1.5")

    assert "" == name_for("failed", (failed,))
    place.write_bytes(msgspec.msgpack.encode(known_mistakes.Kept(known)))
    assert "You averaged." == name_for("failed", (failed,))


def test_mistakes_are_learned_behind_a_submission_that_raised(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After an exception the next answer may be wrong, so its mistake is known by then."""
    begun: list[Path] = []
    monkeypatch.delenv(known_mistakes.OFF, raising=False)
    monkeypatch.setattr(known_mistakes, "_place", lambda *_: tmp_path / "answers.bin")
    monkeypatch.setattr(known_mistakes, "_begin", lambda *given: begun.append(given[-1]))

    assert ["", "", "", ""] == [name_for(it) for it in ("raised", "failed", "passed", "timed_out")]
    assert [tmp_path / "answers.bin"] * 2 == begun


def test_a_command_waits_for_the_changed_solutions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where no known mistake fits, the wait goes on until the changed solutions have been run."""
    place = tmp_path / "answers.bin"
    known = [KnownMistake("mean", "You averaged.", Answers("mean", (), (), "1.5"))]
    kept = [
        known_mistakes.Kept([], "mean"),
        known_mistakes.Kept([], "mean"),
        known_mistakes.Kept(known, "mean", []),
    ]

    def go_on(*_: Any) -> None:
        place.with_suffix(".lock").touch()
        place.write_bytes(msgspec.msgpack.encode(kept.pop(0)))

    monkeypatch.delenv(known_mistakes.OFF, raising=False)
    monkeypatch.setattr(known_mistakes, "_place", lambda *_: place)
    monkeypatch.setattr(known_mistakes, "_begin", go_on)
    monkeypatch.setattr("jaxtutor.checks.known_mistakes.time.sleep", go_on)
    failed = CheckResult("mean", "says", "failed", detail="1.5")

    assert "You averaged." == name_for("failed", (failed,), 30.0)
    assert [] == kept


def test_mistakes_and_changed_solutions_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The background process keeps both, and its lock is gone at its end."""
    folder = make_lesson(tmp_path / "01_basics" / "01_double").folder
    place = tmp_path / "answers.bin"
    place.with_suffix(".lock").touch()
    answered = (tree([1.0]),)
    checker = SimpleNamespace(answers=lambda _, sources, seed: [answered] * len(sources))
    monkeypatch.setattr(known_mistakes, "Runner", lambda **_: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(known_mistakes, "Templates", lambda: None)
    monkeypatch.setattr(known_mistakes, "Checker", lambda *_, **__: checker)
    monkeypatch.setattr(known_mistakes, "_place", lambda *_: place)
    monkeypatch.setattr(known_mistakes, "learn", lambda *_: iter([KNOWN[0]]))
    task = known_mistakes.Task(str(folder), "1.1", "double", 0, "values", "")
    known_mistakes.main(msgspec.json.encode(task).decode())
    kept = msgspec.msgpack.decode(place.read_bytes(), type=known_mistakes.Kept)

    assert (None, "You averaged.") == (kept.check, kept.known[0].says)
    assert kept.slips
    assert {answered} == {slip.answers.values for slip in kept.slips}
    assert not place.with_suffix(".lock").exists()
