"""Tests the sentences on a failure without a cause: what was refused, and what its kind admits."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.refusals.failed import Refusal
from jaxtutor.core.diagnosis.refusals.refused import refusal

CALL = "'{}' object is not callable"


def refused(
    line: str,
    at: str,
    message: str,
    kinds: dict[str, str] | None = None,
    inside: tuple[str, ...] = (),
) -> Refusal:
    """Return the refusal of an expression in a line that raised a message, inside of functions."""
    column = line.index(at)
    frame = Frame("f.py", "f", Span(1, column, 1, column + len(at)))
    names = tuple(NameFact(name, kind) for name, kind in (kinds or {}).items())
    failure = Failure(
        "TypeError",
        ("TypeError",),
        message,
        (frame,),
        names=names,
        call_names=(names,),
        jax_frames=inside,
    )
    found = refusal(FailureContext(failure, {"f.py": line}))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("z = (x - y) ^ 2", "(x - y) ** 2"),
        ("z = a * g ^ 2", "a * g ** 2"),
        ("z = y ^ 2 - x", "y ** 2 - x"),
        ("z = f(x ^ 1) ^ 2", "f(x ^ 1) ** 2"),
    ],
)
def test_a_power_of_floats_is_written_with_two_stars(line: str, written: str) -> None:
    """The advice has the learner's expression, and the power binds as it was meant."""
    found = refused(line, line[4:], "xor does not accept dtype float32 at position 0.")

    assert found.action == f"Write a power with `**`: `{written}`."


@pytest.mark.parametrize(
    ("line", "at", "kinds", "mapped"),
    [
        ("z = t / k", "t / k", "'dict' and 'int'", "lambda t: t / k, t"),
        ("z = k * t", "k * t", "'int' and 'dict'", "lambda t: k * t, t"),
        ("z = a + b", "a + b", "'dict' and 'dict'", "lambda a, b: a + b, a, b"),
        (
            "z = p[n] - r * g[n]",
            "r * g[n]",
            "'Tracer' and 'dict'",
            "lambda p, g: p - r * g, p[n], g[n]",
        ),
        ("z = p1 + p2", "p1 + p2", "'dict' and 'dict'", "lambda a, b: a + b, p1, p2"),
    ],
)
def test_a_dict_in_arithmetic_is_computed_with_leaf_by_leaf(
    line: str, at: str, kinds: str, mapped: str
) -> None:
    """The whole expression becomes a function of the arrays, of all trees with the same key."""
    found = refused(line, at, f"unsupported operand type(s) for *: {kinds}")

    assert found.action == f"Compute with the arrays in it: `jax.tree.map({mapped})`."


@pytest.mark.parametrize(
    ("line", "message", "action"),
    [
        ("x.size()", CALL.format("int"), "Leave the parentheses out: `x.size`."),
        ("x.size(0)", CALL.format("int"), "The size of one axis is `x.shape[0]`"),
        ("x.at(i)", CALL.format("_IndexUpdateHelper"), "`x.at[i]`"),
        ("w(x)", CALL.format("DynamicJaxprTracer"), "`w[x]`"),
        ("fs(i)", CALL.format("list"), "`fs[i]`"),
        ("np(x)", CALL.format("module"), "Call a function in it"),
        ("model(x)", CALL.format("Linear"), "`f(model, x)`"),
        ("jnp.add(x)", "add() missing 1 required positional argument: 'y'", "`jnp.add(x, y)`"),
        (
            "jnp.maximum(x)",
            "maximum() missing 1 required positional argument: 'y'",
            "For the numbers of one array: `jnp.max(x)`.",
        ),
        ("x.set(v, out=y)", "set() got an unexpected keyword argument 'out'", "Leave `out=y` out"),
        ("jnp.add(x, y, out=z)", "out argument of <jnp.ufunc 'add'>", "Leave `out=z` out"),
    ],
)
def test_a_call_that_cannot_be_made_is_written_as_it_can(
    line: str, message: str, action: str
) -> None:
    """A called value is not a function, and a call lacks an argument or has one too many."""
    assert action in refused(line, line, message).action


def test_a_function_that_was_called_is_passed_without_parentheses() -> None:
    """The call around it is written with the function itself."""
    said = "f() missing 1 required positional argument: 'x'"

    assert "`jax.jit(f)`" in refused("g = jax.jit(f())", "f()", said).action


@pytest.mark.parametrize(
    ("line", "message", "kinds", "action"),
    [
        (
            "x[[i]]",
            "Using a non-tuple sequence for multidimensional indexing",
            {},
            "`x[jnp.array([i])]`",
        ),
        ("x[list(i)]", "Using a non-tuple sequence for multidimensional indexing", {}, "`x[i]`"),
        ("p['w']", "JAX does not support string indexing; got idx='w'", {}, "passes for `p`"),
        ("m['w']", "'Linear' object is not subscriptable", {}, "Write `m.w`."),
        ("range(ps)", "'list' object cannot be interpreted as an integer", {}, "`len(ps)`, or"),
        (
            "jit(f, static_argnums='n')",
            "'str' object cannot be interpreted as an integer",
            {},
            "`static_argnames='n'`",
        ),
        ("jnp.sum(x, axis=1)", "axis 1 is out of bounds for array of dimension 1", {}, "`axis=-1`"),
        (
            "jnp.add(x, t)",
            "add requires ndarray or scalar arguments, got <class 'dict'> at position 1.",
            {},
            "`jax.tree.map(f, t)`",
        ),
        ("[x] * n", "can t multiply sequence by non-int of type 'float'", {}, "`[x] * int(n)`"),
        (
            "x + kept",
            "memory_space of all inputs passed to `add` must be the same. Got one operand",
            {},
            "`jax.device_put(x, jax.memory.Space.Device)`",
        ),
        ("y * y", "can t multiply sequence by non-int of type 'tuple'", {"y": "tuple"}, "`y[0]`"),
        ("-(a > b)", "neg does not accept dtype bool.", {}, "`~(a > b)`"),
        ("a >> 1", "shift_right does not accept dtype float32.", {}, "`x / 2`"),
        ("a & b", "and does not accept dtype float32.", {}, "(b > 0)"),
        (
            "x - f.mean",
            "unsupported operand type(s) for -: 'Tracer' and 'method'",
            {},
            "`f.mean()`",
        ),
        (
            "w * range(3)",
            "unsupported operand type(s) for *: 'Tracer' and 'range'",
            {},
            "`jnp.arange(3)`",
        ),
        ("names.append", "'set' object has no attribute 'append'", {}, "`names.add(…)`"),
        ("out.reshape", "'list' object has no attribute 'reshape'", {}, "`jnp.stack(out)`"),
        (
            "tree.shape",
            "'dict' object has no attribute 'shape'",
            {},
            "jax.tree.map(lambda leaf: leaf.shape",
        ),
        ("h.append", "'NoneType' object has no attribute 'append'", {}, "`list.append`"),
        ("g.eqns", "'function' object has no attribute 'eqns'", {}, "`g(…)`"),
    ],
)
def test_each_kind_of_value_comes_with_what_it_admits(
    line: str, message: str, kinds: dict[str, str], action: str
) -> None:
    """The action is that of the value's kind, with the learner's expression."""
    assert action in refused(line, line, message, kinds).action


def test_a_function_behind_its_data_goes_first() -> None:
    """A transformation that gets the data first is written with the function first."""
    line = "jax.lax.map(xs, f, batch_size=8)"
    line = f"import jax; {line}"
    found = refused(line, line[12:], "no attribute", {"f": "function", "xs": "tracer"})

    assert found.action == "Put the function first: `jax.lax.map(f, xs, batch_size=8)`."


def test_what_a_library_calls_was_given_to_it() -> None:
    """An object that is called inside of a library is not the function that the learner calls."""
    line = "solution = diffrax.diffeqsolve(term, y0=y)"
    inside = ("diffrax._integrate.diffeqsolve", "diffrax._term.vf")
    found = refused(line, line[11:], CALL.format("Transformed"), inside=inside)

    assert "`diffrax.diffeqsolve` calls an object of class `Transformed`" in found.says
    assert "Look for the `Transformed` in what you pass" in found.action
