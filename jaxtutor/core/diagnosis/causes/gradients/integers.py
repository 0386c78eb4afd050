"""Matches integers that a gradient is taken with respect to, where they are written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.gradients.origins import is_trained_value, origins
from jaxtutor.core.diagnosis.causes.gradients.results import (
    SHORT,
    AtGrad,
    at_grad,
    differentiated_argument,
)
from jaxtutor.core.diagnosis.editing.expressions import rewrite
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.library_calls import home_of, is_module_of
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_integer


def int_input(context: FailureContext) -> AtGrad | None:
    """An integer or boolean is differentiated."""
    found = at_grad(context)
    if found is None or "key<" in context.message:
        return None
    given = differentiated_argument(found)
    text = found.module.text(given) if given is not None else ""
    named = {"argument": text} if 0 < len(text) <= SHORT and "\n" not in text else {}
    literal = _written_out(context, found, given)
    if literal is not None:
        return literal
    fact = found.frame.fact(given)
    is_state = fact is not None and any(base.endswith("TrainState") for base in fact.bases)
    form = "train_state" if is_state and named else ""
    if is_module_of("nnx", found.frame, given) and found.grad is not None:
        return _of_nnx(found, text)
    return replace(found, facts={**found.facts, **named}, form=form)


class OfModule(AtGrad, frozen=True, kw_only=True):
    """A gradient of JAX with respect to a module of NNX; `named` is what names it."""

    named: ast.expr
    home: Module


def _of_nnx(found: AtGrad, text: str) -> OfModule | AtGrad:
    """Match a module of NNX, which also holds keys and counters."""
    grad = found.grad
    assert grad is not None
    named = grad.node.func if isinstance(grad.node, ast.Call) else grad.node
    kind = last_part(grad.module.dotted(named))
    if not isinstance(named, ast.expr) or kind not in ("grad", "value_and_grad"):
        return found
    facts = {**found.facts, "argument": text, "name": f"jax.{kind}", "function": f"nnx.{kind}"}
    return OfModule(
        grad.module.location(named),
        facts,
        "nnx",
        context=found.context,
        grad=grad,
        named=named,
        home=grad.module,
    )


class IntegerLeaves(AtGrad, frozen=True, kw_only=True):
    """Integers written out among the parameters, where the file `home` makes them.

    `is_trained` says that the parameters are lowered by a gradient, or are the only argument.
    """

    home: Module
    integers: tuple[ast.expr, ...]
    is_trained: bool


def _written_out(
    context: FailureContext, found: AtGrad, given: ast.expr | None
) -> IntegerLeaves | None:
    """Find the line where the parameters, or some of them, are written as integers."""
    values = origins(context, found.frame, given) if given is not None else []
    made = values[-1] if len(values) > 1 else None
    home = home_of(context, made)
    if home is None or made is None or given is None:
        return None
    entries = _entries(home, made)
    integers = tuple(number for _, numbers in entries for number in numbers)
    if not integers:
        return None
    if isinstance(made, ast.Dict):
        names = listed(written for written, _ in entries)
        facts = {"argument": home.text(integers[0]), "name": names}
        form, is_trained = "written", True
    else:
        floats = rewrite(home, made, {n: f"{home.text(n)}.0" for n in integers})
        facts = {"argument": found.module.text(given), "expression": home.text(made)}
        facts |= {"name": floats}
        form, is_only = "made", found.call is not None and len(found.call.args) == 1
        is_trained = is_only or is_trained_value(context, values)
    statement = home.statement(made)
    return IntegerLeaves(
        home.location(statement if statement is not None else made),
        {**facts, **found.facts},
        form,
        context=context,
        grad=found.grad,
        home=home,
        integers=integers,
        is_trained=is_trained,
    )


def _entries(home: Module, made: ast.expr) -> list[tuple[str, tuple[ast.expr, ...]]]:
    """List the entries of a dict with integers alone, or the whole value, and the integers."""
    if not isinstance(made, ast.Dict):
        return [("", tuple(_integers(home, made)))]
    pairs = [(k, v) for k, v in zip(made.keys, made.values, strict=True) if k is not None]
    found = [(f"{home.text(k)}: {home.text(v)}", tuple(_integers(home, v))) for k, v in pairs]
    return [entry for entry in found if entry[1]]


def _integers(home: Module, value: ast.expr) -> Iterator[ast.expr]:
    """Yield what has to be written as a float, so that a number or an array holds floats."""
    if is_integer(value):
        yield value
    if not isinstance(value, ast.Call) or len(value.args) != 1 or value.keywords:
        return
    library, _, name = (home.dotted(value.func) or "").rpartition(".")
    if library not in ("jax.numpy", "numpy"):
        return
    if name == "arange" and is_integer(value.args[0]):
        yield value.args[0]
    if name in ("array", "asarray"):
        leaves = list(_nested_numbers(value.args[0]))
        yield from leaves if all(map(is_integer, leaves)) else ()


def _nested_numbers(value: ast.expr) -> Iterator[ast.expr]:
    """Yield the numbers of a list, and of the lists in it."""
    if not isinstance(value, ast.List | ast.Tuple):
        yield value
        return
    for each in value.elts:
        yield from _nested_numbers(each)
