"""Says what a call got wrong: what it calls, and the arguments that it lacks or cannot pass."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal

_NOT_CALLABLE = re.compile(r"'(?:[\w.]*\.)?(\w+)' object is not callable")


_ARRAYS = re.compile(r"\w*Tracer|ArrayImpl|ndarray")


def called(failed: FailedExpression) -> Refusal | None:
    """Something that is not a function is called."""
    said, node = _NOT_CALLABLE.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    text, given = failed.text(node.func), ", ".join(map(failed.text, node.args))
    class_name = said[1]
    if failed.context.library:
        return Refusal(
            f"`{text}` calls an object of class `{class_name}` that it was given, and that is not a"
            " function.",
            f"Look for the `{class_name}` in what you pass, or in what that was made of. Where a"
            " method of it does the work, pass the method, or a function that calls it.",
        )
    if class_name == "_IndexUpdateHelper":
        return Refusal(
            f"`{text}` is not a function.",
            f"Write square brackets behind `.at`: `{text}[{given}]`.",
        )
    if _ARRAYS.fullmatch(class_name):
        return Refusal(
            f"`{text}` is an array, and not a function.",
            f"An element is taken with square brackets, `{text}[{given}]`, and a product is written"
            f" with `*` or `@`.",
        )
    if class_name in ("list", "tuple", "dict"):
        return Refusal(
            f"`{text}` is a {class_name}, and not a function.",
            f"Take an item with square brackets: `{text}[{given}]`.",
        )
    if class_name == "module":
        return Refusal(f"`{text}` is a module.", f"Call a function in it: `{text}.…({given})`.")
    if isinstance(node.func, ast.Attribute) and not failed.frame.is_own(node.func):
        return _without_parentheses(failed, node.func, class_name, given)
    return Refusal(
        f"`{text}` is a `{class_name}`, and this class has no `__call__`.",
        f"Pass it to a function, such as `f({text}, {given})`, or define `__call__` in the class.",
    )


def _without_parentheses(
    failed: FailedExpression, function: ast.Attribute, class_name: str, given: str
) -> Refusal:
    """A value such as `x.size` or `jnp.pi` is called."""
    text, owner = failed.text(function), failed.text(function.value)
    action = f"Leave the parentheses out: `{text}`."
    if function.attr == "size" and given:
        action = f"The size of one axis is `{owner}.shape[{given}]`; `{text}` counts all elements."
    is_what = "a dtype" if "DType" in class_name else f"a Python `{class_name}`"
    return Refusal(f"`{text}` is {is_what}, and not a function.", action)


_MISSING = re.compile(
    r"(?:[\w.<>]*\.)?(\w+)\(\) missing \d+ required positional arguments?: '(\w+)'"
)


def missing_argument(failed: FailedExpression) -> Refusal | None:
    """A call lacks an argument: one without any may be meant to pass the function itself."""
    said, node = _MISSING.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    text, function = failed.text(node), failed.text(node.func)
    says = f"`{text}` calls `{function}` without its argument `{said[2]}`."
    outer = failed.parent()
    if not (node.args or node.keywords) and isinstance(outer, ast.Call) and node in outer.args:
        passed = failed.text(outer).replace(text, function)
        return Refusal(says, f"Pass the function itself, without parentheses: `{passed}`.")
    given = ", ".join(map(failed.text, (*node.args, *node.keywords)))
    action = f"Pass it too: `{function}({', '.join(filter(None, (given, said[2])))})`."
    if said[1] in _OF_ONE_ARRAY and function.endswith(said[1]) and len(node.args) == 1:
        reduction = function.removesuffix(said[1]) + _OF_ONE_ARRAY[said[1]]
        action += f" For the numbers of one array: `{reduction}({given})`."
    return Refusal(says, action)


_OF_ONE_ARRAY = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
"""Functions of two arrays, and what does the same with all elements of one."""


_KEYWORD = re.compile(r"\S*\(\) got an unexpected keyword argument '(\w+)'")


def keyword(failed: FailedExpression) -> Refusal | None:
    """A call passes a keyword that the function does not have."""
    said, node = _KEYWORD.match(failed.message), failed.node
    passed = (
        [it for it in node.keywords if said and it.arg == said[1]]
        if isinstance(node, ast.Call)
        else []
    )
    if not passed:
        return None
    assert isinstance(node, ast.Call)
    return Refusal(
        f"`{failed.text(node.func)}` has no argument `{passed[0].arg}=`.",
        f"Leave `{failed.text(passed[0])}` out of the call.",
    )


def out(failed: FailedExpression) -> Refusal | None:
    """A call asks for its result in an array that exists."""
    node = failed.node
    given = [it for it in node.keywords if it.arg == "out"] if isinstance(node, ast.Call) else []
    if not given or "out" not in failed.message:
        return None
    assert isinstance(node, ast.Call)
    return Refusal(
        f"`{failed.text(given[0])}` asks for the result in an array that exists, and JAX arrays"
        " cannot be changed.",
        f"Leave `{failed.text(given[0])}` out, and use what `{failed.text(node.func)}` returns.",
    )
