"""Owns the naming of what is wrong in a program that did not raise: by watching and by reading."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from jaxtutor.core.applied import Applied, applied, name_of, place_of, static_names
from jaxtutor.core.causes import Cause, fill
from jaxtutor.core.locate import FunctionNode, Module, read_module
from jaxtutor.core.matchers.effects import cause_of_leak
from jaxtutor.core.matchers.statics import uses_as_python_value
from jaxtutor.core.model import Diagnosis, Frame, Observation
from jaxtutor.core.scene import Place, parameters

Found = tuple[str, Place, dict[str, str]]
MOST_FINDINGS = 8


def find(
    observations: Iterable[Observation],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
) -> tuple[Diagnosis, ...]:
    """Name what was seen while the program ran, and what its source shows by itself."""
    read = {file: read_module(file, text) for file, text in sources.items()}
    modules = {file: module for file, module in read.items() if module is not None}
    found = [*_watched(observations, modules), *_read(modules)]
    named = {
        (slug, place.file, place.span.line): (slug, place, facts) for slug, place, facts in found
    }
    return tuple(_finding(item, causes) for item in list(named.values())[:MOST_FINDINGS])


def _finding(found: Found, causes: Mapping[str, Cause]) -> Diagnosis:
    slug, place, facts = found
    cause = causes.get(slug)
    known = {"expression": place.expression, "line": str(place.span.line), **facts}
    return Diagnosis(
        error_class=None,
        message="",
        cause=slug,
        file=place.file,
        span=place.span,
        expression=place.expression,
        summary=fill(cause.summary, known) if cause else "",
        advice=fill(cause.advice, known) if cause else "",
    )


# ---------------------------------------------------------------- watched


def _watched(observations: Iterable[Observation], modules: dict[str, Module]) -> Iterator[Found]:
    for seen in observations:
        if seen.leak is not None:
            found = _leak(seen, modules)
        else:
            name = _WATCHED.get(seen.kind)
            found = name(seen, modules) if name is not None else None
        if found is not None:
            yield found


def _leak(seen: Observation, modules: dict[str, Module]) -> Found | None:
    leak = seen.leak
    named = cause_of_leak(modules, leak) if leak is not None else None
    if named is None or named[1] is None or leak is None:
        return None
    facts = {
        "container": leak.path,
        "name": leak.path,
        "aval": leak.aval,
        "function": leak.function,
    }
    return named[0], named[1], facts


def _at(slug: str) -> Callable[[Observation, dict[str, Module]], Found | None]:
    def found(seen: Observation, modules: dict[str, Module]) -> Found | None:
        place = _place(seen.frame, modules)
        if place is None or seen.frame is None:
            return None
        function = seen.frame.function
        named = {} if function.startswith("<") else {"function": function}
        return slug, place, {**named, **seen.facts}

    return found


def _place(frame: Frame | None, modules: dict[str, Module]) -> Place | None:
    module = modules.get(frame.file) if frame is not None else None
    if module is None or frame is None:
        return None
    return Place(module.file, frame.span, module.text(frame.span))


def _new_callable(seen: Observation, modules: dict[str, Module]) -> Found | None:
    """Find the jit inside a function or loop that makes a new callable at each call."""
    frame = seen.frame
    module = modules.get(frame.file) if frame is not None else None
    if frame is None or module is None or int(seen.facts.get("times", "0")) < 2:
        return None
    function = module.function_at(frame.function, frame.span.line)
    jits = [a for a in applied(module) if a.kind == "jit" and _is_made_often(a)]
    found = [a for a in jits if a.function is not None and a.function is function] or jits
    if len(found) != 1:
        return None
    return "new-callable-each-call", place_of(found[0]), {"function": name_of(function)}


def _is_made_often(item: Applied) -> bool:
    """Tell whether a transformation is applied anew at each call or round."""
    outer = item.module.ancestors(item.node)
    decorated = item.function if item.is_decorator else None
    return any(
        isinstance(n, ast.FunctionDef | ast.Lambda | ast.For | ast.While) and n is not decorated
        for n in outer
    )


def _static_change(seen: Observation, modules: dict[str, Module]) -> Found | None:
    """Find the static argument that changes at each call and need not be static."""
    frame = seen.frame
    module = modules.get(frame.file) if frame is not None else None
    if frame is None or module is None or int(seen.facts.get("times", "0")) < 2:
        return None
    function = module.function_at(frame.function, frame.span.line)
    jits = [a for a in applied(module) if a.kind == "jit" and a.function is function]
    if len(jits) != 1 or function is None:
        return None
    free = [n for n in sorted(static_names(jits[0])) if _is_free(jits[0], function, n)]
    if len(free) != 1:
        return None
    facts = {"function": name_of(function), "argument": free[0], "name": free[0]}
    return "static-arg-changes-each-call", place_of(jits[0]), facts


def _is_free(jit: Applied, function: FunctionNode, name: str) -> bool:
    """Tell whether a function does arithmetic only with a parameter."""
    names = [a.arg for a in parameters(function)]
    if name not in names or uses_as_python_value(jit, name):
        return False
    used = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return bool(used) and all(
        isinstance(jit.module.parents.get(n), ast.BinOp | ast.UnaryOp) for n in used
    )


_WATCHED: dict[str, Callable[[Observation, dict[str, Module]], Found | None]] = {
    "print": _at("impure-print"),
    "next": _at("impure-iterator"),
    "host_random": _at("impure-host-random"),
    "host_time": _at("impure-host-random"),
    "float64": _at("float64-truncated"),
    "int_update": _at("int-dtype-truncation"),
    "item": _at("item-on-tracer"),
    "new_callable": _new_callable,
    "static_change": _static_change,
}


# ---------------------------------------------------------------- read


def _read(modules: dict[str, Module]) -> Iterator[Found]:
    for module in modules.values():
        for node in ast.walk(module.tree):
            yield from _dropped_update(module, node)
            yield from _precedence(module, node)


_UPDATES = frozenset(
    {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
)


def _dropped_update(module: Module, node: ast.AST) -> Iterator[Found]:
    """`x.at[i].set(v)` as a statement of its own does nothing."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    indexed = call.func.value
    at = indexed.value if isinstance(indexed, ast.Subscript) else None
    if call.func.attr in _UPDATES and isinstance(at, ast.Attribute) and at.attr == "at":
        span = module.span(call)
        facts = {"name": module.text(at.value)}
        yield "at-set-result-dropped", Place(module.file, span, module.text(span)), facts


def _precedence(module: Module, node: ast.AST) -> Iterator[Found]:
    """`a < b & c` is `a < (b & c)`."""
    if isinstance(node, ast.Compare) and any(_is_swallowed(module, node)):
        span = module.span(node)
        yield "operator-precedence", Place(module.file, span, module.text(span)), {}


def _is_swallowed(module: Module, node: ast.Compare) -> Iterator[bool]:
    """Say of each operand of a comparison whether `&` or `|` took part of it by mistake.

    Between `==` and a lone operand it may be meant: `n & 1 == 0` tests a bit.
    """
    operands = [node.left, *node.comparators]
    for position, operand in enumerate(operands):
        is_bitwise = isinstance(operand, ast.BinOp) and isinstance(
            operand.op, ast.BitAnd | ast.BitOr
        )
        if not is_bitwise or _is_in_parentheses(module, operand):
            continue
        is_between = 0 < position < len(operands) - 1
        beside = node.ops[max(position - 1, 0)]
        yield is_between or isinstance(beside, ast.Lt | ast.LtE | ast.Gt | ast.GtE)


def _is_in_parentheses(module: Module, node: ast.expr) -> bool:
    span = module.span(node)
    before = module.lines[span.line - 1][: span.column].rstrip()
    after = module.lines[span.end_line - 1][span.end_column :].lstrip()
    return before.endswith("(") and after.startswith(")")
