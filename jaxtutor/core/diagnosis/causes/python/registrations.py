"""Fixes objects that JAX cannot take: registers their class, or passes their arrays alone."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.loops.scanned_models import scan_arrays
from jaxtutor.core.diagnosis.causes.python.function_leaves import (
    only_arrays,
)
from jaxtutor.core.diagnosis.causes.python.not_jax_types import NotAJaxType, not_a_jax_type
from jaxtutor.core.diagnosis.causes.shapes.odeint_args import close_over
from jaxtutor.core.diagnosis.causes.tracing.leaks import decorator_name
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_FILTERING = {
    "jax.jit": "equinox.filter_jit",
    "jax.grad": "equinox.filter_grad",
    "jax.value_and_grad": "equinox.filter_value_and_grad",
    "jax.vmap": "equinox.filter_vmap",
}


def register(found: NotAJaxType) -> Drafts:
    """Register a dataclass as a pytree, or a class that only holds its arguments.

    A model with functions in it goes through Equinox's transformations, or is filtered.
    """
    if found.transform is not None:
        yield _filtering(found.transform)
        yield scan_arrays(found.context, found.model)
    elif found.model is not None and isinstance(found.call, ast.Call):
        frame = found.context.frame
        draft = Draft(frame.module) if frame is not None else None
        if draft is not None and method_of(found.call) == "init":
            is_array = draft.name("equinox.is_array")
            draft.wrap(found.model, f"{draft.name('equinox.filter')}(", f", {is_array})")
            yield draft.certain()
    for module, node in found.classes:
        yield _register(module, node)


def _filtering(transform: AppliedTransform) -> Draft | None:
    """Write Equinox's transformation in place of JAX's, if it is given no options."""
    node, module = transform.node, transform.module
    if isinstance(node, ast.Call) and (node.keywords or len(node.args) != 1):
        return None
    func = node.func if isinstance(node, ast.Call) else node
    path = _FILTERING.get(module.dotted(func) or "")
    draft = Draft(module)
    return draft.certain().replace(func, draft.name(path)) if path is not None else None


def _register(module: Module, node: ast.ClassDef) -> Draft | None:
    draft = Draft(module)
    indent = indent_of(module, node)
    for decorator in node.decorator_list:
        if decorator_name(decorator) == "dataclass":
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
    names = parameter_names(init)[1:]
    stored = {}
    for statement in init.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        for target, value in _assigned_pairs(statement):
            match target, value:
                case ast.Attribute(value=ast.Name(id="self"), attr=attr), ast.Name(id=name):
                    stored[name] = attr
                case _:
                    return []
    return [stored[n] for n in names] if set(names) == set(stored) else []


def _assigned_pairs(statement: ast.stmt) -> list[tuple[ast.expr | None, ast.expr | None]]:
    """Pair the targets of an assignment with their values; a pair of None for what has none."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return list(zip(targets, values, strict=False))
        case ast.Assign(targets=[target], value=value):
            return [(target, value)]
    return [(None, None)]


RULES = (
    Rule("not-a-jax-type", raised(not_a_jax_type), by_match(register, close_over, only_arrays)),
)
