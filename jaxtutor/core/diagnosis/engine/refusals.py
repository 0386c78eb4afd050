"""Says which value an operation refused, and what is done with values of its kind.

The facts here hold for any failure without a cause: which expression was refused, what it is, and
what values of that kind admit.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.value_origins import value_origin


class Refusal(Struct, frozen=True):
    """What was refused, as a sentence, and what to do."""

    says: str
    action: str


def refusal(context: FailureContext) -> Refusal | None:
    """Return what an operation refused; None where the message does not say."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    failed = _Failed(context, frame, node)
    found = (refused for recognise in _RECOGNISERS if (refused := recognise(failed)) is not None)
    return next(found, None)


class _Failed:
    """The expression that raised, with the message of the exception."""

    def __init__(self, context: FailureContext, frame: FrameContext, node: ast.AST) -> None:
        self.context, self.frame, self.node = context, frame, node

    @cached_property
    def message(self) -> str:
        return self.context.message

    def text(self, node: ast.AST) -> str:
        """Return the text of a node in one line."""
        return " ".join(self.frame.module.text(node).split())

    def kind(self, node: ast.AST) -> str:
        """Describe an array or number by its type; empty where that is not known."""
        fact = self.frame.fact(node)
        return fact.detail if fact is not None and fact.kind in ("tracer", "array") else ""

    def parent(self) -> ast.AST | None:
        return next(iter(self.frame.module.ancestors(self.node)), None)


# ---------------------------------------------------------------- operands


_BITS = {
    ast.BitXor: ("^", "is exclusive or"),
    ast.LShift: ("<<", "shifts bits"),
    ast.RShift: (">>", "shifts bits"),
    ast.BitAnd: ("&", "is a bitwise and"),
    ast.BitOr: ("|", "is a bitwise or"),
}
_NOT_ACCEPTED = re.compile(r"\w+ does not accept dtype (\w+)")


def _bits_of_floats(failed: _Failed) -> Refusal | None:
    """An operator on bits meets floats: mostly `^`, which is a power elsewhere."""
    said, node = _NOT_ACCEPTED.match(failed.message), failed.node
    operator = _BITS.get(type(node.op)) if isinstance(node, ast.BinOp) else None
    if said is None or operator is None:
        return None
    assert isinstance(node, ast.BinOp)
    mark, is_what = operator
    says = (
        f"`{mark}` {is_what}, for integers and booleans, and in `{failed.text(node)}` it gets"
        f" `{said[1]}`."
    )
    if mark == "^":
        return Refusal(says, f"Write a power with `**`: `{_as_power(failed, node)}`.")
    if mark in ("<<", ">>"):
        other = "/" if mark == ">>" else "*"
        return Refusal(says, f"Multiply or divide by a power of two: `x {other} 2`.")
    return Refusal(
        says, f"Put each comparison in parentheses: `(a > 0) {mark} (b > 0)` combines conditions."
    )


def _as_power(failed: _Failed, node: ast.BinOp) -> str:
    """Write an expression with `**` for its `^`: the power then binds as it was meant."""
    left, whole = failed.frame.module.text(node.left), failed.frame.module.text(node)
    begin = whole.find(left) + len(left)
    place = whole.find("^", begin)
    return " ".join(f"{whole[:place]}**{whole[place + 1 :]}".split())


def _minus_of_booleans(failed: _Failed) -> Refusal | None:
    """A minus stands before a mask."""
    said, node = _NOT_ACCEPTED.match(failed.message), failed.node
    if said is None or said[1] != "bool" or not isinstance(node, ast.UnaryOp):
        return None
    operand = failed.text(node.operand)
    return Refusal(
        f"`{operand}` holds booleans, which have no negative.",
        f"Write `~{operand}` for its opposite, or `-{operand}.astype(int)` for numbers.",
    )


_OPERANDS = (
    re.compile(r"unsupported operand type\(s\) for (.+): '([\w.]+)' and '([\w.]+)'"),
    re.compile(r"'(\S+)' not supported between instances of '([\w.]+)' and '([\w.]+)'"),
)


def _operand(failed: _Failed) -> Refusal | None:
    """An operand is no array and no number: a dict, a range, a function that is not called."""
    said = next((found for it in _OPERANDS if (found := it.match(failed.message))), None)
    sides = _sides(failed.node)
    if said is None or sides is None:
        return None
    operator = said[1].partition(" or ")[0].removesuffix("=")
    refused = [
        (side, class_name)
        for side, class_name in zip(sides, said.groups()[1:], strict=True)
        if class_name in _OF_CLASS
    ]
    if not refused:
        return None
    side, class_name = refused[0]
    if class_name == "dict":
        return _tree_operand(failed, operator, [side for side, name in refused if name == "dict"])
    if class_name == "set":
        text = f"{failed.text(sides[0])} | {failed.text(sides[1])}"
        return Refusal(f"`{failed.text(side)}` is a set.", f"Join sets with `|`: `{text}`.")
    return _of_class(failed, side, class_name, f"`{operator}` works on arrays and numbers")


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    match node:
        case ast.BinOp(left=left, right=right) | ast.AugAssign(target=left, value=right):
            return left, right
        case ast.Compare(left=left, comparators=[right]):
            return left, right
        case _:
            return None


def _tree_operand(failed: _Failed, operator: str, trees: list[ast.expr]) -> Refusal:
    """Compute with the arrays of a dict: with those of others, too, that have the same key."""
    whole = _largest_arithmetic(failed)
    keys = [failed.text(it.slice) for it in trees if isinstance(it, ast.Subscript)]
    alike = [
        part
        for part in ast.walk(whole)
        if isinstance(part, ast.Subscript) and failed.text(part.slice) in keys
    ]
    names = dict.fromkeys(failed.text(it) for it in (*alike, *trees))
    written = failed.text(whole)
    letters = _letters(list(names))
    for name, letter in zip(names, letters, strict=True):
        written = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", letter, written)
    mapped = f"jax.tree.map(lambda {', '.join(letters)}: {written}, {', '.join(names)})"
    return Refusal(
        f"`{failed.text(trees[0])}` is a dict, and `{operator}` works on arrays and numbers.",
        f"Compute with the arrays in it: `{mapped}`.",
    )


def _largest_arithmetic(failed: _Failed) -> ast.AST:
    found = failed.node
    for outer in failed.frame.module.ancestors(found):
        if not isinstance(outer, ast.BinOp):
            break
        found = outer
    return found


def _letters(names: list[str]) -> list[str]:
    """Name the leaves after the first letters of their trees, or a, b, … where two are alike."""
    letters = [name[0].lower() for name in names]
    return letters if len(set(letters)) == len(names) else list("abcdefgh"[: len(names)])


# ---------------------------------------------------------------- values by their class


_OF_CLASS = {
    "NoneType": (
        "None",
        "See where it gets its value: a function without `return` and a method such as"
        " `list.append` give None",
    ),
    "builtin_function_or_method": ("a function", "Call it: `{text}()`"),
    "dict": ("a dict", "Take the array in it, or compute with each: `jax.tree.map(f, {text})`"),
    "function": ("a function", "Call it: `{text}(…)`"),
    "generator": ("a generator", "Make a list of it: `[…]` with square brackets"),
    "list": ("a list", "Make an array of it: `jnp.array({text})`"),
    "map": ("a `map`", "Make a list of it: `list({text})`"),
    "method": ("a method", "Call it: `{text}()`"),
    "range": ("a `range`", "Make an array: `{arange}`"),
    "set": ("a set", "Make an array of it: `jnp.array(sorted({text}))`"),
    "tuple": ("a tuple", "Take the part that is meant, such as `{text}[0]`, or unpack it"),
    "zip": ("a `zip`", "Make a list of it: `list({text})`"),
}
"""What a value of a class is called, and what to do with one where an array is needed."""


def _of_class(failed: _Failed, node: ast.expr, class_name: str, why: str) -> Refusal | None:
    """Describe a value by its class; None for other classes."""
    known = _OF_CLASS.get(class_name)
    if known is None:
        return None
    text = failed.text(node)
    arange = f"jnp.a{text}" if text.startswith("range(") else f"jnp.array({text})"
    is_what, action = known
    return Refusal(
        f"`{text}` is {is_what}, and {why}.", f"{action.format(text=text, arange=arange)}."
    )


_ARRAY_ARGUMENT = re.compile(
    r"(\w+) requires ndarray.* arguments?, got <class '(?:[\w.]*\.)?(\w+)'> at position (\d+)"
)


def _array_argument(failed: _Failed) -> Refusal | None:
    """A function of jax.numpy gets something that is no array."""
    said, node = _ARRAY_ARGUMENT.search(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    function, place = failed.text(node.func), int(said[3])
    given = node.args
    if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    if place >= len(given):
        return (
            Refusal(
                f"`{failed.text(node)}` passes no argument number {place + 1}.",
                f"Pass it too: `{function}` needs all that belong together.",
            )
            if said[2] == "NoneType" and given is node.args
            else None
        )
    return _of_class(failed, given[place], said[2], f"`{function}` takes arrays")


_INTEGER = re.compile(r"'(\w+)' object cannot be interpreted as an integer")


def _integer(failed: _Failed) -> Refusal | None:
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
        return Refusal(
            f"`{text}` is a {said[1]}, and `{failed.text(node.func)}` takes a whole number.",
            f"Pass its length: `len({text})`.",
        )
    return None


# ---------------------------------------------------------------- calls


_NOT_CALLABLE = re.compile(r"'(?:[\w.]*\.)?(\w+)' object is not callable")
_ARRAYS = re.compile(r"\w*Tracer|ArrayImpl|ndarray")


def _called(failed: _Failed) -> Refusal | None:
    """Something that is no function is called."""
    said, node = _NOT_CALLABLE.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Call):
        return None
    text, given = failed.text(node.func), ", ".join(map(failed.text, node.args))
    class_name = said[1]
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
    failed: _Failed, function: ast.Attribute, class_name: str, given: str
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


def _missing_argument(failed: _Failed) -> Refusal | None:
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
    return Refusal(says, f"Pass it too: `{function}({', '.join(filter(None, (given, said[2])))})`.")


_KEYWORD = re.compile(r"\S*\(\) got an unexpected keyword argument '(\w+)'")


def _keyword(failed: _Failed) -> Refusal | None:
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


def _out(failed: _Failed) -> Refusal | None:
    """A call asks for its result in an array that is there already."""
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


# ---------------------------------------------------------------- attributes and items


_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_OF_ARRAYS = frozenset(
    "T all any argmax argmin astype at clip cumsum dot dtype flatten max mean min ndim prod ravel"
    " reshape shape size squeeze stack std sum swapaxes transpose var".split()
)
"""Attributes of arrays, and functions of jax.numpy, that are looked for in containers."""


def _attribute(failed: _Failed) -> Refusal | None:
    """A container, a function or None is asked for an attribute that it does not have."""
    said, node = _NO_ATTRIBUTE.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Attribute):
        return None
    class_name, name = said[1], said[2]
    owner, is_of_array = failed.text(node.value), name in _OF_ARRAYS
    if class_name == "NoneType":
        return _none(failed, owner, name)
    if class_name in ("function", "PjitFunction", "method"):
        return _function_attribute(failed, owner, name)
    if class_name == "set" and name == "append":
        return Refusal(f"`{owner}` is a set.", f"A set has `add`: `{owner}.add(…)`.")
    if class_name == "dict" and (is_of_array or name == "map"):
        mapped = (
            f"jax.tree.map(lambda leaf: leaf.{name}, {owner})"
            if is_of_array
            else (f"jax.tree.map(f, {owner})")
        )
        return Refusal(
            f"`{owner}` is a dict, and has no `.{name}`: the arrays in it do.",
            f"Compute with each: `{mapped}`, or take one: `jax.tree.leaves({owner})[0]`.",
        )
    if class_name in ("list", "tuple") and is_of_array:
        return _sequence_attribute(owner, class_name, name)
    return None


def _none(failed: _Failed, owner: str, name: str) -> Refusal:
    origin = value_origin(failed.context.frames, owner)
    line = f" in line {origin.node.lineno}" if origin is not None else ""
    return Refusal(
        f"`{owner}` is None, and has no `.{name}`.",
        f"See where it gets its value{line}: a function without `return` and a method such as"
        " `list.append`, which changes the list itself, give None.",
    )


def _function_attribute(failed: _Failed, owner: str, name: str) -> Refusal:
    origin = value_origin(failed.context.frames, owner)
    if origin is not None and isinstance(origin.node, ast.Call):
        made = " ".join(origin.module.text(origin.node).split())
        return Refusal(
            f"`{owner}` is a function: `{made}` (line {origin.node.lineno}) returns one.",
            f"Call it with its arguments{_moved(origin.node, origin.module.text)}, and take"
            f" `.{name}` of what it returns.",
        )
    return Refusal(f"`{owner}` is a function, and has no `.{name}`.", f"Call it: `{owner}(…)`.")


def _moved(call: ast.Call, text) -> str:  # type: ignore[no-untyped-def]
    """Write a call like `jax.make_jaxpr(f, x)` with its arguments in a second call."""
    if len(call.args) < 2 or call.keywords:
        return ""
    first, *others = map(text, call.args)
    return f": `{text(call.func)}({first})({', '.join(others)})`"


def _sequence_attribute(owner: str, class_name: str, name: str) -> Refusal:
    says = f"`{owner}` is a {class_name}, and has no `.{name}`: that is of arrays."
    if name == "prod" and ".shape" in owner:
        return Refusal(says, f"Multiply Python integers with `math.prod({owner})`.")
    if name in ("stack", "mean", "sum", "max", "min", "prod"):
        return Refusal(
            says,
            f"Write `jnp.{name}(jnp.array({owner}))`; `jnp.stack({owner})` joins"
            " arrays of one shape.",
        )
    return Refusal(
        says,
        f"Make an array of it first: `jnp.array({owner})`, or `jnp.stack({owner})` and"
        f" `jnp.concatenate({owner})` if it holds arrays.",
    )


_TEXT_INDEX = re.compile(r"JAX does not support string indexing; got idx='(\w+)'")


def _text_index(failed: _Failed) -> Refusal | None:
    """An array is asked for a key: the dict that holds it was meant, or another argument."""
    said, node = _TEXT_INDEX.match(failed.message), failed.node
    if said is None:
        return None
    if isinstance(node, ast.Subscript):
        owner = failed.text(node.value)
        aval = failed.kind(node.value)
        return Refusal(
            f"`{owner}` is an array{f', `{aval}`,' if aval else ''} and has no key"
            f" `{said[1]!r}`: that is of a dict.",
            f"See what the call passes for `{owner}`, and in which order: it has to be the dict.",
        )
    if isinstance(node, ast.Call):
        given = ", ".join(f"`{failed.text(it)}`" for it in node.args)
        return Refusal(
            f"`{failed.text(node)}` calls a function that takes a dict: it reads the key"
            f" `{said[1]!r}`, and gets an array.",
            f"Pass it the dict and not an array ({given}). Turn a flattened tree back first:"
            " `vector, unravel = ravel_pytree(tree)`, then `unravel(vector)`.",
        )
    return None


_LIST_INDEX = re.compile(r"Using a non-tuple sequence for multidimensional indexing")


def _list_index(failed: _Failed) -> Refusal | None:
    """A list stands between the square brackets of an array."""
    if not _LIST_INDEX.match(failed.message):
        return None
    for part in ast.walk(failed.node):
        if not isinstance(part, ast.Subscript):
            continue
        text = failed.text(part.slice)
        is_list = text.startswith(("[", "list(")) or failed.frame.kind(part.slice) == "list"
        if is_list:
            inner = text[5:-1] if text.startswith("list(") else f"jnp.array({text})"
            return Refusal(
                f"`{text}` is a list, and an array is indexed by numbers and arrays.",
                f"Index with an array: `{failed.text(part.value)}[{inner}]`.",
            )
    return None


_PATH_KEY = re.compile(
    r"pytree\.(?:Dict|Sequence|GetAttr|FlattenedIndex)Key\b|'tuple' object has no attribute"
    r" '(?:startswith|endswith|split|replace)'"
)


def _path_key(failed: _Failed) -> Refusal | None:
    """A path of a tree, which holds key objects, is used as a text."""
    is_of_path = any("path" in name for name in _names(failed.node))
    if not _PATH_KEY.search(failed.message) or not (is_of_path or "Key" in failed.message):
        return None
    path = next((name for name in _names(failed.node) if "path" in name), "path")
    return Refusal(
        f"`{failed.text(failed.node)}` uses the path of a leaf as text, and it is a tuple of key"
        " objects.",
        f'Write it as text: `jax.tree_util.keystr({path}, simple=True, separator="/")`.',
    )


def _names(node: ast.AST) -> list[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


_NO_RESULT = re.compile(r"Gradient only defined for scalar-output functions\. Output was None")


def _no_result(failed: _Failed) -> Refusal | None:
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


def _axis(failed: _Failed) -> Refusal | None:
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


_JAX_TYPE = re.compile(
    r"(?:Argument|Value) '?(.*?)'? of (?:shape \S+ of )?type '?<class '([\w.]+)'>'?"
    r" is not a valid JAX type"
)


def _jax_type(failed: _Failed) -> Refusal | None:
    """A transformation or a function of JAX gets something that is no array."""
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
        _of_class(failed, refused[0], class_name, f"`{function}` takes arrays") if refused else None
    )


_REPEATED = re.compile(r"can't multiply sequence by non-int of type '(\w+)'")


def _repeated(failed: _Failed) -> Refusal | None:
    """A list is repeated by a number that is not whole, or a list or tuple is multiplied."""
    said, sides = _REPEATED.match(failed.message), _sides(failed.node)
    if said is None or sides is None:
        return None
    is_list = [isinstance(it, ast.List | ast.Tuple) for it in sides]
    if said[1] == "float" and any(is_list):
        number = failed.text(sides[0 if is_list[1] else 1])
        sequence = failed.text(sides[1 if is_list[1] else 0])
        return Refusal(
            f"`{number}` is a float, and a list is repeated a whole number of times.",
            f"Convert it: `{sequence} * int({number})`.",
        )
    for side in sides:
        kind = failed.frame.kind(side)
        if kind in ("list", "tuple"):
            return _of_class(failed, side, kind, "`*` works on arrays and numbers")
    return None


_NO_SETTER = re.compile(r"property '(\w+)' of '\w*(?:Tracer|ArrayImpl)' object has no setter")


def _no_setter(failed: _Failed) -> Refusal | None:
    """A property of an array is assigned to."""
    said, statement = _NO_SETTER.match(failed.message), failed.frame.statement
    if said is None or not isinstance(statement, ast.Assign):
        return None
    target, value = statement.targets[0], failed.text(statement.value)
    owner = failed.text(target.value) if isinstance(target, ast.Attribute) else "x"
    made = {"shape": f"reshape({value})", "dtype": f"astype({value})"}.get(said[1])
    action = (
        f"Make a new array: `{owner} = {owner}.{made}`."
        if made
        else (f"Make a new array in place of a new `.{said[1]}`.")
    )
    return Refusal(f"`{owner}` is an array, and its `.{said[1]}` cannot be changed.", action)


_NOT_A_FUNCTION = re.compile(r"the first argument must be callable|Expected a callable value")


def _value_for_function(failed: _Failed) -> Refusal | None:
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


_NO_ITEMS = re.compile(r"'(?:[\w.]*\.)?(\w+)' object is not subscriptable")


def _subscripted(failed: _Failed) -> Refusal | None:
    """An object without items is indexed."""
    said, node = _NO_ITEMS.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Subscript):
        return None
    owner = failed.text(node.value)
    known = _OF_CLASS.get(said[1])
    if known is not None:
        return _of_class(failed, node.value, said[1], "has no items")
    key = node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
        return Refusal(
            f"`{owner}` is a `{said[1]}`, and has attributes in place of keys.",
            f"Write `{owner}.{key.value}`.",
        )
    return None


_RECOGNISERS = (
    _bits_of_floats,
    _minus_of_booleans,
    _operand,
    _repeated,
    _array_argument,
    _jax_type,
    _value_for_function,
    _no_result,
    _axis,
    _list_index,
    _path_key,
    _no_setter,
    _integer,
    _called,
    _missing_argument,
    _keyword,
    _out,
    _attribute,
    _text_index,
    _subscripted,
)
