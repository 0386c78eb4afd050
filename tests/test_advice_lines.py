"""Tests that advice begins with the line to write, from what was recorded of programs."""

from __future__ import annotations

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from recordings import diagnoses, records

CAUSES = Library()
OF = "python-3.13-jax-0.12"
"""Pages and spellings are recorded there only."""


def found(name: str) -> Diagnosis:
    """Return the diagnosis of a program, from its record of the running Python and jax."""
    record = records(OF)[name]
    (diagnosis,) = diagnoses(record, catalogue()[name], CAUSES)
    assert diagnosis is not None
    return diagnosis


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "pages/traced-bool-in-ternary/failing",
            "Write `rate = jnp.where(distance_km < 10.0, 1.2, 0.9)`",
        ),
        ("spellings/traced-bool-in-and-or/3", "Write `return jnp.where((b > 0) & (n > 1), x, -x)`"),
        ("pages/masked-assignment/failing", "Write `pixels = jnp.where(pixels > 255.0, "),
        ("pages/traced-axis-arg/failing", "Write line "),
    ],
)
def test_advice_begins_with_the_line(name: str, says: str) -> None:
    """A fix of one line is quoted as the program would have it, with the number if elsewhere."""
    assert found(name).advice.startswith(says)


def test_a_condition_is_about_its_statement() -> None:
    """`not` in the condition of an `if` is explained as the `if`, with the whole condition."""
    diagnosis = found("spellings/traced-bool-in-if/6")

    assert "traced-bool-in-if" == diagnosis.cause
    assert "The `if` needs the truth of `not done`" in diagnosis.advice
    assert diagnosis.advice.startswith(
        "Write `return jnp.where(jnp.logical_not(done), x, -x)` in place of lines 12 to 14."
    )


def test_a_fix_of_several_lines_is_not_quoted() -> None:
    """A `while` that becomes `while_loop` is described, since its lines do not fit a sentence."""
    assert found("spellings/traced-bool-in-while/0").advice.startswith("`while` needs")


VECTOR = NameFact("x", "tracer", "float32[3]")


def advice(
    line: str, at: str, message: str, *names: NameFact, signature: tuple[str, ...] = ()
) -> str:
    """Return the advice on a TypeError of an expression, in a function of one line."""
    source = f"import jax\nimport jax.numpy as jnp\n\ndef f(x, loss, tree):\n    {line}\n"
    column = 4 + line.index(at)
    frame = Frame("program.py", "f", Span(5, column, 5, column + len(at)))
    failure = Failure(
        "TypeError", (), message, (frame,), call_names=((VECTOR, *names),), signature=signature
    )
    found = diagnose(failure, {"program.py": source}, CAUSES)
    assert found is not None
    return found.diagnosis.advice


LOSS = NameFact("loss", "function", "loss")
NOT_CALLABLE = "Expected a callable value, got JitTracer(float32[])"


@pytest.mark.parametrize(
    ("line", "at", "written"),
    [
        ("return jax.grad(loss(x))", "jax.grad(loss(x))", "return jax.grad(loss)(x)"),
        ("g = jax.grad(loss(x))(x)", "jax.grad(loss(x))", "g = jax.grad(loss)(x)"),
        (
            "return jax.value_and_grad(loss(x), has_aux=True)",
            "jax.value_and_grad(loss(x), has_aux=True)",
            "return jax.value_and_grad(loss, has_aux=True)(x)",
        ),
    ],
)
def test_a_derivative_of_a_value_becomes_one_of_the_function(
    line: str, at: str, written: str
) -> None:
    """What the function was called with moves behind the derivative, unless that is called."""
    assert advice(line, at, NOT_CALLABLE, LOSS).startswith(f"Write `{written}`.")


def test_branches_that_are_values_become_functions() -> None:
    """The line to write has both branches of a `cond` as functions, not the first alone."""
    call = "jax.lax.cond(x[0] > 0, x / 2, x)"
    said = "lax.cond: true_fun and false_fun arguments should be callable."

    assert advice(f"return {call}", call, said).startswith(
        "Write `return jax.lax.cond(x[0] > 0, lambda: x / 2, lambda: x)`."
    )


def test_leaves_of_a_tree_are_joined_and_not_stacked() -> None:
    """The leaves of a tree differ in shape, so `jnp.asarray` of their list is not advised."""
    call = "jnp.mean(jax.tree.leaves(tree))"
    said = "mean requires ndarray or scalar arguments, got <class 'list'> at position 0."

    assert "jnp.asarray(jax.tree.leaves(tree))" not in advice(f"return {call}", call, said)
    assert advice(f"return {call}", call, said).startswith(
        "Write `return jnp.mean(jnp.concatenate([jnp.ravel(leaf) for leaf in"
        " jax.tree.leaves(tree)]))`."
    )


def test_a_keyword_that_begins_the_name_of_an_argument_means_it() -> None:
    """`fill=` is answered with `fill_value=`, which is too long to be a misspelling of it."""
    call, said = "jnp.take(x, 5, fill=0)", "take() got an unexpected keyword argument 'fill'"
    taken = ("a", "indices", "axis", "out", "mode", "fill_value")

    assert "Write `fill_value=` in place of `fill=`" in advice(call, call, said, signature=taken)


def test_counts_for_each_axis_are_not_taken_for_an_axis() -> None:
    """`x.repeat(2, 1)` of PyTorch is `jnp.tile`, and no sign that `x` lacks an axis."""
    said = "axis 1 is out of bounds for array of dimension 1"

    assert advice("return x.repeat(2, 1)", "x.repeat(2, 1)", said).startswith(
        "Write `jnp.tile(x, (2, 1))`."
    )


def test_a_fix_whose_further_lines_are_new_is_not_quoted() -> None:
    """A loop that becomes a function and a `fori_loop` is not quoted by its first line alone."""
    lines = (
        "def f(x, n):",
        "    y = x",
        "    for _ in range(n):",
        "        y = y * x",
        "    return y",
    )
    source = "\n".join(("import jax", *lines, ""))
    frame = Frame("program.py", "f", Span(4, 13, 4, 21))
    names = (VECTOR, NameFact("n", "tracer", "int32[]"))
    said = "The __index__() method was called on traced array with shape int32[]"
    bases = ("TracerIntegerConversionError", "TypeError")
    failure = Failure("TracerIntegerConversionError", bases, said, (frame,), call_names=(names,))
    found = diagnose(failure, {"program.py": source}, CAUSES)

    assert found is not None
    assert found.diagnosis.advice.startswith("`range` needs an integer now")
