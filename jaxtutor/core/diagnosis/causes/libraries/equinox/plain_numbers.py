"""Finds numbers of Equinox modules that look like parameters, and that no optimizer changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_value
from jaxtutor.core.diagnosis.words import KEPT_ARRAYS, has_word

_GRADIENTS = frozenset({"equinox.filter_grad", "equinox.filter_value_and_grad"})
_NEUTRAL = (0.0, 1.0)
_ELEMENTWISE = ("jax.numpy.", "jax.nn.", "flax.nnx.", "jax.lax.")


class PlainNumber(ExpressionFinding, frozen=True, kw_only=True):
    """A number that a module begins with."""


def read_plain_numbers(module: Module) -> Iterator[PlainNumber]:
    """Yield the float literals that a module of Equinox begins with and computes with.

    A number that is added or multiplied, and begins as 0 or 1, is of no use as a constant. In a
    class that declares others as static, any number is one that was to be trained.
    """
    functions = [n.func for n in module.calls] + [
        decorator for n in module.functions for decorator in getattr(n, "decorator_list", ())
    ]
    if not any(module.dotted(function) in _GRADIENTS for function in functions):
        return
    for class_ in (n for n in module.nodes if isinstance(n, ast.ClassDef)):
        if not any(module.dotted(base) == "equinox.Module" for base in class_.bases):
            continue
        static = {name for name, value in _fields(class_) if _is_static(module, value)}
        for statement in ast.walk(class_):
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                    value=ast.Constant(value=float(number)) as start,
                ) if name not in static and not has_word(name, KEPT_ARRAYS):
                    is_start = getattr(module.function(statement), "name", "") == "__init__"
                    is_meant = number in _NEUTRAL or bool(static)
                    if is_start and is_meant and is_weight(module, class_, name):
                        facts = {"name": f"self.{name}", "argument": module.text(start)}
                        yield PlainNumber(
                            None, facts, "number", module=module, node=start, is_certain=False
                        )


def _fields(class_: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the fields that a class declares, with their values."""
    for statement in class_.body:
        if isinstance(statement, ast.AnnAssign):
            yield path_of(statement.target) or "", statement.value


def _is_static(module: Module, value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call) or module.dotted(value.func) != "equinox.field":
        return False
    given = keyword_value(value, "static")
    return isinstance(given, ast.Constant) and given.value is True


def is_weight(module: Module, class_: ast.ClassDef, name: str) -> bool:
    """Return whether an attribute is set once, and each use of it is arithmetic in a method."""
    found = [n for n in module.nodes if isinstance(n, ast.Attribute) and n.attr == name]
    stores = [n for n in found if isinstance(n.ctx, ast.Store)]
    loads = [n for n in found if isinstance(n.ctx, ast.Load)]
    inside = [n for n in loads if class_ in module.ancestors(n)]
    is_set = any(isinstance(n, ast.Name) and n.id == "setattr" for n in module.nodes)
    if len(stores) != 1 or not inside or is_set:
        return False
    return all(_is_computed_with(module, n) for n in inside)


def _is_computed_with(module: Module, node: ast.AST) -> bool:
    """Return whether an attribute is an operand, perhaps after `jnp.exp` or the like."""
    outer = module.parents.get(node)
    while outer is not None and _is_elementwise(module, outer):
        outer = module.parents.get(outer)
    if not isinstance(outer, ast.BinOp | ast.AugAssign):
        return False
    return not isinstance(outer.op, ast.MatMult)


def _is_elementwise(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return True
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return (module.dotted(node.func) or "").startswith(_ELEMENTWISE)


def make_array(found: PlainNumber) -> Drafts:
    """Begin with an array, which the gradient and the optimizer see."""
    draft = Draft(found.module)
    yield draft.wrap(found.node, f"{draft.name('jax.numpy.array')}(", ")")
