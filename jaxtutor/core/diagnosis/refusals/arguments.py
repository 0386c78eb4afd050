"""Says which argument a function refused, and what belongs in its place."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.phrases import counted
from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal
from jaxtutor.core.diagnosis.refusals.kinds import of_class

_ARRAY_ARGUMENT = re.compile(
    r"(\w+) requires ndarray.* arguments?, got <class '(?:[\w.]*\.)?(\w+)'> at position (\d+)"
)


def array_argument(failed: FailedExpression) -> Refusal | None:
    """A function of jax.numpy gets something that is not an array."""
    said, node = _ARRAY_ARGUMENT.search(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    function, place = failed.text(node.func), int(said[3])
    given = node.args
    if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    if place < len(given):
        return of_class(failed, given[place], said[2], f"`{function}` takes arrays")
    if said[2] != "NoneType" or given is not node.args:
        return None
    return Refusal(
        f"`{failed.text(node)}` passes {counted(len(given), 'argument')}, and number {place + 1} is"
        " missing.",
        "Pass it too. `jnp.where(condition, x, y)`, for one, takes both values or none."
        if function.endswith("where")
        else "Pass it too.",
    )


_JAX_TYPE = re.compile(
    r"(?:Argument|Value) '?(.*?)'? of (?:shape \S+ of )?type '?<class '([\w.]+)'>'?"
    r" is not a valid JAX type"
)


def jax_type(failed: FailedExpression) -> Refusal | None:
    """A transformation or a function of JAX gets something that is not an array."""
    said, node = _JAX_TYPE.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    class_name, function = said[2].rpartition(".")[2], failed.text(node.func)
    if class_name == "ShapeDtypeStruct":
        given = ", ".join(map(failed.text, (node.func, *node.args)))
        return Refusal(
            f"`{failed.text(node)}` computes with a `ShapeDtypeStruct`, which has a shape and no"
            " numbers.",
            f"Ask for the shape of the result alone: `jax.eval_shape({given})`.",
        )
    refused = [
        given
        for given in node.args
        if failed.text(given).startswith(f"{class_name}(") or failed.frame.kind(given) == class_name
    ]
    return (
        of_class(failed, refused[0], class_name, f"`{function}` takes arrays") if refused else None
    )


_INTEGER = re.compile(r"'(\w+)' object cannot be interpreted as an integer")


def integer(failed: FailedExpression) -> Refusal | None:
    """A text or a list stands where a whole number is needed."""
    said, node = _INTEGER.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    for keyword in node.keywords:
        name, text = keyword.arg or "", failed.text(keyword.value)
        if name.endswith("argnums") and text[:1] in "\"'([":
            names = name.removesuffix("nums") + "names"
            return Refusal(
                f"`{name}` takes positions, counted from 0, and gets `{text}`.",
                f"Pass names by `{names}={text}`.",
            )
    if said[1] in ("list", "tuple", "dict") and len(node.args) == 1:
        text = failed.text(node.args[0])
        part = "" if said[1] == "dict" else f", or the number in it that is meant: `{text}[0]`"
        return Refusal(
            f"`{text}` is a {said[1]}, and `{failed.text(node.func)}` takes a whole number.",
            f"Pass its length, `len({text})`{part}.",
        )
    return None


_NOT_A_FUNCTION = re.compile(r"the first argument must be callable|Expected a callable value")


def value_for_function(failed: FailedExpression) -> Refusal | None:
    """The result of a function is passed where the function itself belongs."""
    node = failed.node
    if not _NOT_A_FUNCTION.match(failed.message) or not isinstance(node, ast.Call):
        return None
    first = node.args[0] if node.args else None
    if not isinstance(first, ast.Call):
        return None
    function, given = failed.text(first.func), ", ".join(map(failed.text, first.args))
    return Refusal(
        f"`{failed.text(first)}` is what `{function}` returns, and `{failed.text(node.func)}` takes"
        " the function.",
        f"Pass the function, and call the result: `{failed.text(node.func)}({function})({given})`.",
    )


_NO_RESULT = re.compile(r"Gradient only defined for scalar-output functions\. Output was None")


def no_result(failed: FailedExpression) -> Refusal | None:
    """The function that is differentiated returns nothing."""
    call = failed.node
    if not _NO_RESULT.match(failed.message) or not isinstance(call, ast.Call):
        return None
    made = call.func if isinstance(call.func, ast.Call) else call
    function = failed.text(made.args[0]) if made.args else "the function"
    return Refusal(
        f"`{function}` returns None, and `{failed.text(made.func)}` needs a number.",
        f"End `{function}` with `return`, and the value of the loss behind it.",
    )


_AXIS = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")


def axis(failed: FailedExpression) -> Refusal | None:
    """An array has fewer axes than an argument counts."""
    said = _AXIS.match(failed.message)
    if said is None:
        return None
    count = int(said[2])
    axes = "one axis, which is axis 0" if count == 1 else f"{count} axes, from 0 to {count - 1}"
    return Refusal(
        f"`{failed.text(failed.node)}` goes along axis {said[1]} of an array with {axes}.",
        "Count from the end where the number of axes differs: `axis=-1` is the last one.",
    )


_FUNCTION_FIRST = frozenset(
    {
        "jax.lax.associative_scan",
        "jax.lax.map",
        "jax.lax.scan",
        "jax.lax.while_loop",
        "jax.make_jaxpr",
        "jax.eval_shape",
        "jax.tree.map",
        "jax.tree.map_with_path",
        "jax.tree_util.tree_map",
        "jax.vmap",
    }
)


_DATA = ("array", "dict", "list", "ndarray", "number", "tracer", "tuple")


def function_first(failed: FailedExpression) -> Refusal | None:
    """A function that takes another one first gets it behind its data."""
    node = failed.node
    if not isinstance(node, ast.Call) or failed.frame.callee(node) not in _FUNCTION_FIRST:
        return None
    functions = [it for it in node.args if is_function(failed, it)]
    if not functions or failed.frame.kind(node.args[0]) not in _DATA:
        return None
    name, first = failed.text(node.func), functions[0]
    others = [it for it in (*node.args, *node.keywords) if it is not first]
    written = f"{name}({', '.join(map(failed.text, (first, *others)))})"
    return Refusal(
        f"`{name}` takes the function first, and gets `{failed.text(node.args[0])}` there.",
        f"Put the function first: `{written}`.",
    )


def is_function(failed: FailedExpression, node: ast.expr) -> bool:
    """Return whether an argument is a function."""
    return isinstance(node, ast.Lambda) or failed.frame.kind(node) == "function"
