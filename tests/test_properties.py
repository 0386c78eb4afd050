"""Tests the judging of one property: the measurement is compared with the solution's."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from msgspec.structs import replace

from builders import pair, tree
from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import PropertyFacts
from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.values import Tree
from jaxtutor.core.judging.properties import Problem, judge_property, leak_text
from jaxtutor.core.vocabulary import Property


def measured(wanted: Property, *trees: Tree, **facts: Any) -> PropertyFacts:
    """Make what was measured; each tree is a call's unless `inputs` says otherwise."""
    inputs = tuple(f"x={index}" for index in range(len(trees)))
    return PropertyFacts(wanted, 0.0, **{"trees": trees, "inputs": inputs} | facts)


def judged(ours: PropertyFacts, theirs: PropertyFacts) -> str:
    """Return what is wrong, in words."""
    problem = judge_property(ours, theirs, None)
    return problem.says if problem else ""


def judged_alone(ours: PropertyFacts) -> str:
    """Return what is wrong with what is judged by itself."""
    return judged(ours, ours)


# ---------------------------------------------------------------- counts and names


@pytest.mark.parametrize(
    ("seen", "times", "says"),
    [
        (1, 1, ""),
        (2, 2, ""),
        (3, 1, "traced 3 times in 3 calls, expected once"),
        (0, 1, "never traced in 3 calls, expected once"),
        (1, 2, "traced once in 3 calls, expected twice"),
    ],
)
def test_traces_are_counted(seen: int, times: int, says: str) -> None:
    """More traces than expected are wrong, and so are fewer."""
    counts = {"traces": seen, "calls": 3}

    assert says == judged_alone(measured(words.Traces((), times=times), counts=counts))


@pytest.mark.parametrize(
    ("counts", "factor", "says"),
    [
        ({"0:n=2": 4, "1:n=9": 4}, 1.0, ""),
        ({"0:n=2": 4, "1:n=9": 3}, 1.0, ""),
        ({"0:n=2": 4, "1:n=9": 8}, 2.0, ""),
        ({"0:n=2": 4, "1:n=9": 9}, 2.0, "4 equations for n=2, 9 for n=9"),
        ({"0:x=1:2": 4, "1:x=1:2": 9}, 1.0, "4 equations for x=1:2, 9 for x=1:2"),
    ],
)
def test_growth_is_from_the_first_call_to_the_last(
    counts: dict[str, int], factor: float, says: str
) -> None:
    """A jaxpr may not grow with its input, or by no more than the factor."""
    assert says == judged_alone(measured(words.SameSize((), factor=factor), counts=counts))


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("add", "scan"), ""),
        (("while",), ""),
        (("add",), "the jaxpr does not use scan or while; it uses add"),
        ((), "the jaxpr does not use scan or while; it uses nothing"),
    ],
)
def test_one_of_the_primitives_is_enough(names: tuple[str, ...], says: str) -> None:
    """Uses asks for one of several."""
    assert says == judged_alone(measured(words.Uses((), ("scan", "while")), names=names))


@pytest.mark.parametrize(
    ("names", "says"),
    [(("add",), ""), (("add", "while", "scan"), "the jaxpr uses scan, while")],
)
def test_none_of_the_primitives_may_be_there(names: tuple[str, ...], says: str) -> None:
    """Avoids names those that occur."""
    assert says == judged_alone(measured(words.Avoids((), ("scan", "while")), names=names))


@pytest.mark.parametrize("wanted", [words.LargestIntermediate((), 16), words.NoConstants((), 16)])
def test_sizes_have_a_limit(wanted: Property) -> None:
    """The limit itself is allowed, one element more is not."""
    assert judged_alone(measured(wanted, counts={"largest": 16})) == ""
    assert "one has 4,096 elements; the limit is 16" == judged_alone(
        measured(wanted, counts={"largest": 4096})
    )


def test_answers_lie_where_the_solutions_do() -> None:
    """The first leaf with another sharding is reported."""
    wanted = words.Sharded(())
    theirs = measured(wanted, names=("P('i') over 8", "P() over 8"))

    assert judged(theirs, theirs) == ""
    assert "expected P('i') over 8, got P() over 1" == judged(
        measured(wanted, names=("P() over 1", "P() over 8")), theirs
    )


def test_an_answer_with_a_leaf_less_lies_elsewhere() -> None:
    """A missing leaf is reported before the sharding of the others."""
    wanted = words.Sharded(())
    theirs = measured(wanted, names=("P() over 8", "P() over 8"))

    assert "expected 2 arrays, got 1" == judged(measured(wanted, names=("P() over 8",)), theirs)


def test_a_leak_says_where() -> None:
    """The type of the tracer and what holds it are reported; a holder may be unknown."""
    leak = Leak("float32[3]", None, "list", "acts", "f", "jit")
    unknown = Leak("float32[3]", None, "unknown", "", "f", "jit")

    assert "a tracer of type float32[3] outlived the call in acts" == judged_alone(
        measured(words.NoLeak(()), leaks=(leak,))
    )
    assert "a tracer of type float32[3] outlived the call" == leak_text(unknown)
    assert judged_alone(measured(words.NoLeak(()))) == ""


def test_a_lessons_own_check_has_its_own_words() -> None:
    """What the lesson's function returned is what is wrong."""
    wanted = words.Custom("odd", "It is odd.")

    assert judged_alone(measured(wanted)) == ""
    assert "it is even" == judged_alone(measured(wanted, problem="it is even"))


def test_keys_used_once_are_right() -> None:
    """A key used twice raises; what came this far is right."""
    assert judged_alone(measured(words.KeysOnce(()))) == ""


# ---------------------------------------------------------------- answers


def problem(ours: PropertyFacts, theirs: PropertyFacts) -> Problem:
    """Return what is wrong, which something is."""
    found = judge_property(ours, theirs, None)
    assert found is not None
    return found


@pytest.mark.parametrize("wanted", [words.Gradient(()), words.Vmap(()), words.Types(())])
def test_answers_like_the_solutions_are_right(wanted: Property) -> None:
    """Equal trees pass."""
    theirs = measured(wanted, tree([1.0]), tree([2.0]))

    assert judged(theirs, theirs) == ""


def test_the_call_that_shows_the_difference_is_reported() -> None:
    """Of several calls the first that differs is shown, with both answers."""
    wanted = words.Vmap(())
    theirs = measured(wanted, tree([1.0]), tree([2.0]))
    found = problem(measured(wanted, tree([1.0]), tree([9.0])), theirs)

    assert "the batched answer for x=1: the value differs" == found.says
    assert found.case is not None
    assert (tree([2.0]), tree([9.0])) == (found.case.expected, found.case.actual)


def test_a_gradient_is_held_to_value_structure_and_dtype() -> None:
    """A gradient in another dtype is wrong although its numbers are right."""
    wanted = words.Gradient(())
    theirs = measured(wanted, tree([1.0]))

    for other in (tree([2.0]), pair([1.0], [1.0]), tree([1.0], "bfloat16")):
        assert judged(measured(wanted, other), theirs)


def test_a_gradient_may_be_weakly_typed() -> None:
    """A gradient may have a weak type."""
    wanted = words.Gradient(())

    assert judged(measured(wanted, tree([1.0], weak=True)), measured(wanted, tree([1.0]))) == ""


def test_a_gradient_may_have_to_be_finite() -> None:
    """NaN where the solution has NaN passes only if the lesson does not ask for more."""
    loose, strict = words.Gradient(()), words.Gradient((), finite=True)

    assert judged_alone(measured(loose, tree([nan]))) == ""
    assert "the gradient for x=0: 1 of 1 elements are not finite" == judged_alone(
        measured(strict, tree([nan]))
    )


def test_a_gradient_that_only_xla_makes_finite_is_found() -> None:
    """A NaN that the compiler folds away is a NaN without jit."""
    wanted = words.Gradient((), finite=True)
    nan = tree([float("nan")])
    ours = replace(measured(wanted, tree([0.0])), eager=(nan,))

    assert "the gradient without jit for x=0: 1 of 1 elements are not finite" == judged(
        ours, measured(wanted, tree([0.0]))
    )


def test_types_are_held_to_weakness_unless_it_is_passed_over() -> None:
    """A weak type is a difference, or is not, as the lesson says."""
    weak, strong = tree([1.0], weak=True), tree([1.0])
    strict, lenient = words.Types(()), words.Types((), weak=False)

    assert "the answer for x=0: expected float32[1], got ~float32[1]" == judged(
        measured(strict, weak), measured(strict, strong)
    )
    assert judged(measured(lenient, weak), measured(lenient, strong)) == ""


def test_types_do_not_look_at_values() -> None:
    """Another number of the same type is right."""
    wanted = words.Types(())

    assert judged(measured(wanted, tree([1.0])), measured(wanted, tree([2.0]))) == ""


def test_what_is_not_finite_names_its_call() -> None:
    """With two calls of one tree each, the second tree is the second call's."""
    wanted = words.Finite(())

    assert "the answer for x=1: 1 of 2 elements are not finite" == judged_alone(
        measured(wanted, tree([1.0]), tree([1.0, inf]))
    )


def test_what_is_not_finite_may_be_a_gradient() -> None:
    """With gradients, trees come in pairs: the answer, then its gradient."""
    facts = PropertyFacts(
        words.Finite((), gradient=True),
        0.0,
        trees=(tree([1.0]), tree([1.0]), tree([1.0]), tree([nan])),
        inputs=("x=0", "x=1"),
    )

    assert "the gradient for x=1: 1 of 1 elements are not finite" == judged_alone(facts)


def test_what_is_finite_is_right_whatever_its_value() -> None:
    """Finite accepts any finite value, even one that differs from the solution's."""
    wanted = words.Finite(())

    assert judged(measured(wanted, tree([1.0])), measured(wanted, tree([2.0]))) == ""


def test_a_lessons_tolerance_holds_for_properties() -> None:
    """Gradients and batched answers are compared with the lesson's tolerance."""
    ours = measured(words.Gradient(()), tree([1.0]))
    theirs = measured(words.Gradient(()), tree([1.001]))

    assert judge_property(ours, theirs, None) is not None
    assert judge_property(ours, theirs, (0.01, 0.0)) is None
