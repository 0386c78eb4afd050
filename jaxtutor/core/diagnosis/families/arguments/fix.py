"""Owns the mending of what a library's function is given: lists, numbers, keys, options."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.data.model import Span
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.arguments.shapes import joins
from jaxtutor.core.diagnosis.families.static_args.match import unreadable_argument
from jaxtutor.core.diagnosis.reading import is_number, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import indent_of
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, path_of

# ---------------------------------------------------------------- lists and numbers


def as_sequence(site: FixSite) -> Drafts:
    """Arrays passed one by one become one tuple."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    if joins(frame.dotted(call.args[0] if call.args else None)):
        yield Draft(frame.module).wrap(call.args[0], "lambda *xs: ", "(xs)")
        return
    arrays = [a for a in call.args if not is_number(a)]
    if len(arrays) < 2:
        return
    first, last = frame.module.span(arrays[0]), frame.module.span(arrays[-1])
    draft = Draft(frame.module)
    place = Span(first.line, first.column, last.end_line, last.end_column)
    yield draft.replace(place, f"({frame.module.text(place)})")


def as_array(site: FixSite) -> Drafts:
    """A list becomes an array where it is passed."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    said = re.search(r"at position (\d+)", site.message)
    position = int(said[1]) if said is not None else 0
    lists = [a for a in call.args if frame.kind(a) in ("list", "tuple") or _is_list(a)]
    given = call.args[position] if position < len(call.args) else None
    for item in dict.fromkeys([*([given] if given is not None else []), *lists]):
        draft = Draft(frame.module)
        yield draft.wrap(item, f"{draft.name('jax.numpy.asarray')}(", ")")


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.ListComp)


def scalar_to_array(site: FixSite) -> Drafts:
    """A Python number becomes an array before its attribute is asked for."""
    frame, node = site.frame, site.at
    if frame is None:
        return
    value = node.value if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        value = node.func.value
    if value is None:
        return
    draft = Draft(frame.module)
    text, array = frame.module.text(value), draft.name("jax.numpy.asarray")
    span = frame.module.span(value)
    lines = frame.module.lines
    before, after = lines[span.line - 1][: span.column], lines[span.end_line - 1][span.end_column :]
    is_wrapped = before.endswith("(") and after.startswith(")")
    yield (
        draft.replace(value, f"{array}({text})")
        if not is_wrapped
        else draft.replace(
            Span(span.line, span.column - 1, span.end_line, span.end_column + 1), f"{array}({text})"
        )
    )


# ---------------------------------------------------------------- classes


def register(site: FixSite) -> Drafts:
    """A dataclass is registered as a pytree, and so is a class that only holds its arguments."""
    found = unreadable_argument(site.context) if site.context is not None else None
    said = re.search(r"type <class '([^']*)'>", site.message)
    kind = found[0] if found is not None else said[1] if said is not None else ""
    name = kind.rpartition(".")[2]
    for module in site.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and node.name == name:
                yield _register(module, node)


def _register(module: Module, node: ast.ClassDef) -> Draft | None:
    draft = Draft(module)
    indent = indent_of(module, node)
    for decorator in node.decorator_list:
        path = path_of(getattr(decorator, "func", decorator)) or ""
        if path.rpartition(".")[2] == "dataclass":
            name = draft.name("jax.tree_util.register_dataclass")
            return draft.add_lines(decorator.lineno, f"{indent}@{name}")
    fields = _held(node)
    if not fields:
        return None
    register = draft.name("jax.tree_util.register_pytree_node")
    values = ", ".join(f"item.{field}" for field in fields)
    comma = "," if len(fields) == 1 else ""
    lines = [
        "",
        "",
        f"{indent}{register}(",
        f"{indent}    {node.name},",
        f"{indent}    lambda item: (({values}{comma}), None),",
        f"{indent}    lambda _, parts: {node.name}(*parts),",
        f"{indent})",
    ]
    return draft.lines_after(node, "\n".join(lines))


def _held(node: ast.ClassDef) -> list[str]:
    """List the attributes of a class whose `__init__` only stores its arguments, in their order."""
    init = next(
        (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None
    )
    if init is None:
        return []
    names = [a.arg for a in parameters(init)][1:]
    stored = {}
    for statement in init.body:
        match statement:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)],
                value=ast.Name(id=name),
            ):
                stored[name] = attr
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return []
    return [stored[n] for n in names] if set(names) == set(stored) else []


def uncached(site: FixSite) -> Drafts:
    """A function that is given arrays is not cached."""
    for module in site.modules.values():
        for function in module.functions:
            for decorator in getattr(function, "decorator_list", []):
                path = path_of(getattr(decorator, "func", decorator)) or ""
                last = path.rpartition(".")[2]
                if last in ("lru_cache", "cache"):
                    draft = Draft(module)
                    yield draft.replace(
                        Span(decorator.lineno, 0, (decorator.end_lineno or 0) + 1, 0), ""
                    )
                elif last == "cached_property":
                    yield Draft(module).replace(decorator, "property")


# ---------------------------------------------------------------- keys


# ---------------------------------------------------------------- formats and options


def only_if_given(site: FixSite) -> Drafts:
    """An update with what may be None is made only where there is something."""
    frame = site.frame
    statement = frame.statement if frame is not None else None
    if frame is None or not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    reads = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
    is_update = isinstance(statement, ast.AugAssign) or getattr(target, "id", None) in reads
    given = {a.arg for a in parameters(frame.function)}
    missing = [name for name in sorted(reads & given) if frame.kind(name) == "none"]
    if is_update and len(missing) == 1:
        indent = indent_of(frame.module, statement)
        draft = Draft(frame.module)
        yield draft.before(statement, f"if {missing[0]} is not None:\n{indent}    ")


FIXERS: dict[str, Fixer] = {
    "concat-not-sequence": as_sequence,
    "list-argument": as_array,
    "python-scalar-not-array": scalar_to_array,
    "not-a-jax-type": register,
    "unhashable-array-in-cache": uncached,
    "none-argument": only_if_given,
}
