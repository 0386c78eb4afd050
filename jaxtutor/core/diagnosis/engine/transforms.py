"""Finds where a file applies jit, vmap and the other transformations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Location,
    Module,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import returns_of
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import elements, option_integers, option_strings

_PARTIALS = ("functools.partial", "jax.tree_util.Partial")
_NAMES = {
    "jax.jit": "jit",
    "jax.pmap": "pmap",
    "jax.vmap": "vmap",
    "jax.grad": "grad",
    "jax.value_and_grad": "value_and_grad",
    "jax.jacfwd": "jacfwd",
    "jax.jacrev": "jacrev",
    "jax.jacobian": "jacrev",
    "jax.hessian": "hessian",
    "jax.checkpoint": "checkpoint",
    "jax.remat": "checkpoint",
    "jax.jvp": "jvp",
    "jax.vjp": "vjp",
    "jax.linearize": "linearize",
    "jax.shard_map": "shard_map",
    "jax.make_jaxpr": "make_jaxpr",
    "jax.eval_shape": "eval_shape",
    "jax.custom_vjp": "custom_vjp",
    "jax.custom_jvp": "custom_jvp",
    "jax.lax.scan": "scan",
    "jax.lax.map": "map",
    "jax.lax.fori_loop": "fori_loop",
    "jax.lax.while_loop": "while_loop",
    "jax.lax.cond": "cond",
    "jax.lax.switch": "switch",
    "jax.lax.associative_scan": "associative_scan",
    "jax.experimental.checkify.checkify": "checkify",
    "equinox.filter_jit": "jit",
    "equinox.filter_vmap": "vmap",
    "equinox.filter_grad": "grad",
    "equinox.filter_value_and_grad": "value_and_grad",
    "flax.nnx.jit": "jit",
    "flax.nnx.vmap": "vmap",
    "flax.nnx.grad": "grad",
    "flax.nnx.value_and_grad": "value_and_grad",
}


class AppliedTransform(Struct, frozen=True):
    """One place where a transformation is applied.

    `node` is the expression to point at: the decorator, or the call. `call` holds the options
    given (`static_argnames=…`), and is None for a bare decorator. `function` is what it is applied
    to, where the file defines it.
    """

    kind: str
    module: Module
    node: ast.expr
    call: ast.Call | None
    function: FunctionNode | None
    is_decorator: bool = False

    def option(self, name: str) -> ast.expr | None:
        """Return the value of a keyword option."""
        if self.call is None:
            return None
        return next((k.value for k in self.call.keywords if k.arg == name), None)


def applied(module: Module) -> tuple[AppliedTransform, ...]:
    """List every transformation a file applies, in the order of their lines."""
    return module.once(_applied_transforms)


def _applied_transforms(module: Module) -> tuple[AppliedTransform, ...]:
    found = [*_decorators(module), *_transforming_calls(module)]
    return tuple(sorted(found, key=lambda a: (a.node.lineno, a.node.col_offset)))


def jits_of(module: Module, function: FunctionNode | None) -> list[AppliedTransform]:
    """List the places where a function is jitted."""
    return [a for a in applied(module) if a.kind == "jit" and a.function is function]


def transformation(module: Module, node: ast.AST) -> str | None:
    """Name the transformation a callee is, through imports and aliases."""
    return _NAMES.get(module.dotted(node) or "")


def _decorators(module: Module) -> Iterator[AppliedTransform]:
    for function in module.functions:
        if isinstance(function, ast.Lambda):
            continue
        for decorator in function.decorator_list:
            kind, call = _factory(module, decorator)
            if kind is not None:
                yield AppliedTransform(kind, module, decorator, call, function, is_decorator=True)


def _factory(module: Module, node: ast.expr) -> tuple[str | None, ast.Call | None]:
    """Read `jax.jit`, `jax.jit(...)` and `partial(jax.jit, ...)` as one thing."""
    if not isinstance(node, ast.Call):
        return transformation(module, node), None
    if module.dotted(node.func) in _PARTIALS and node.args:
        return transformation(module, node.args[0]), node
    return transformation(module, node.func), node


def _transforming_calls(module: Module) -> Iterator[AppliedTransform]:
    decorators = {id(d) for f in module.functions for d in getattr(f, "decorator_list", [])}
    for node in module.calls:
        if id(node) in decorators:
            continue
        kind = transformation(module, node.func)
        if kind is None and isinstance(node.func, ast.Call):
            kind, call = _factory(module, node.func)
            if kind is not None and module.dotted(node.func.func) in _PARTIALS and node.args:
                yield AppliedTransform(
                    kind, module, node, call, resolve(module, node.args[0], node)
                )
            continue
        if kind is not None:
            for target in _transformed_functions(kind, node):
                yield AppliedTransform(kind, module, node, node, resolve(module, target, node))


_BODIES = {"fori_loop": slice(2, 3), "while_loop": slice(0, 2), "cond": slice(1, 3)}
_BODY_NAMES = ("f", "fun", "body_fun", "cond_fun", "true_fun", "false_fun")


def _transformed_functions(kind: str, call: ast.Call) -> list[ast.expr]:
    """List the functions that a call transforms."""
    named = [k.value for k in call.keywords if k.arg in _BODY_NAMES]
    if kind == "switch":
        branches = call.args[1] if len(call.args) > 1 else None
        return elements(branches)
    return [*call.args[_BODIES.get(kind, slice(0, 1))], *named]


def resolve(module: Module, target: ast.expr, where: ast.AST) -> FunctionNode | None:
    """Find the function that an expression names, through partials and wrappers."""
    match target:
        case ast.Lambda():
            return target
        case ast.Call(args=[first, *_]) if _wraps(module, target):
            return resolve(module, first, where)
        case ast.Name(id=name):
            return _definition(module, name, where)
        case ast.Attribute(attr=name):
            return module.function_named(name)
    return None


def is_partial(module: Module, call: ast.Call) -> bool:
    """Return whether a call is one of `functools.partial` or `jax.tree_util.Partial`."""
    return module.dotted(call.func) in _PARTIALS


def _wraps(module: Module, call: ast.Call) -> bool:
    return is_partial(module, call) or transformation(module, call.func) is not None


def _definition(module: Module, name: str, where: ast.AST) -> FunctionNode | None:
    """Find the function a name means at a node: the nearest scope that defines it."""
    scopes: list[ast.AST] = [n for n in module.ancestors(where) if not isinstance(n, ast.ClassDef)]
    for scope in (s for s in scopes if isinstance(s, (*_FUNCTIONS, ast.Module))):
        found = _defined_in(module, scope, name)
        if len(found) == 1:
            return found[0]
        if found:
            return None
    return None


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _defined_in(module: Module, scope: ast.AST, name: str) -> list[FunctionNode]:
    found: list[FunctionNode] = []
    for node in own_nodes(scope):
        if isinstance(node, Definition) and node.name == name:
            found.append(node)
        elif isinstance(node, ast.Assign) and any(path_of(t) == name for t in node.targets):
            value = node.value
            while isinstance(value, ast.Call) and value.args and _wraps(module, value):
                value = value.args[0]
            if isinstance(value, ast.Lambda):
                found.append(value)
            elif isinstance(value, ast.Name) and value.id != name:
                inner = _defined_in(module, scope, value.id)
                found.extend(inner)
    return found


_DIFFERENTIATING = frozenset(
    "grad value_and_grad jacfwd jacrev hessian jvp vjp linearize custom_vjp custom_jvp".split()
)


def differentiated(module: Module) -> set[FunctionNode]:
    """Return the functions that a file differentiates, with those of the file that they call."""
    items = (a for a in applied(module) if a.kind in _DIFFERENTIATING)
    found = {a.function for a in items if a.function is not None}
    return found.union(*(reached(module, function) for function in found))


def reached(module: Module, node: ast.AST) -> set[FunctionNode]:
    """Return the functions of a file that a node calls or names, directly or through others."""
    found = set[FunctionNode]()
    left = [node]
    while left:
        for name in (n for n in ast.walk(left.pop()) if isinstance(n, ast.Name | ast.Attribute)):
            function = module.function_named(last_name(name))
            if function is not None and function not in found:
                found.add(function)
                left.append(function)
    return found


def static_names(jit: AppliedTransform) -> set[str]:
    """List the parameters that a jit's options make static, by name."""
    names = set(option_strings(jit.option("static_argnames")))
    function = jit.function
    if function is not None:
        given = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        names.update(
            given[n] for n in option_integers(jit.option("static_argnums")) if n < len(given)
        )
    return names


def find(
    context: FailureContext, *kinds: str, at: ast.AST | None = None
) -> AppliedTransform | None:
    """Find the transformation that a call applies, or calls: the call at fault unless given.

    None unless there is just one that fits.
    """
    node = at if at is not None else context.node
    if node is None:
        return None
    known = every(context, *kinds)
    here = [a for a in known if a.node is node or a.node is getattr(node, "func", None)]
    if here:
        return here[0]
    called = [a for a in known if _calls_it(context, node, a)]
    return called[0] if len(called) == 1 else None


def find_in_frames(context: FailureContext, *kinds: str) -> AppliedTransform | None:
    """Find the transformation that one of the learner's frames calls, the innermost first."""
    for frame in reversed(context.frames):
        found = find(context, *kinds, at=frame.node) if frame.node is not None else None
        if found is not None:
            return found
    return None


def same_call(item: AppliedTransform) -> list[FunctionNode]:
    """List the functions that one call takes: a condition and a body, or several branches."""
    return [a.function for a in applied(item.module) if a.node is item.node and a.function]


def function_argument(item: AppliedTransform, position: int, name: str) -> FunctionNode | None:
    """Find the function that a call is given at a position or by a name."""
    given = argument(item.call, position, name) if item.call is not None else None
    return resolve(item.module, given, item.node) if given is not None else None


def every(context: FailureContext, *kinds: str) -> list[AppliedTransform]:
    """List the transformations of some kinds that the learner's files apply."""
    return [a for m in context.modules.values() for a in applied(m) if a.kind in kinds]


def _calls_it(context: FailureContext, node: ast.AST, item: AppliedTransform) -> bool:
    """Return whether a call calls what a transformation made, by the name it was given."""
    func = node.func if isinstance(node, ast.Call) else None
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)
    if name is None or context.frame is None:
        return False
    if item.is_decorator:
        fact = context.frame.fact(func)
        known = {name, last_part(fact.detail) if fact is not None else name}
        return getattr(item.function, "name", None) in known
    return name in _given_names(item)


def _given_names(item: AppliedTransform) -> set[str]:
    """List the names that the result of a transformation is assigned to."""
    node: ast.AST = item.node
    while isinstance(item.module.parents.get(node), ast.Call):
        node = item.module.parents[node]
    parent = item.module.parents.get(node)
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return {t.attr if isinstance(t, ast.Attribute) else getattr(t, "id", "") for t in targets}


def place_of(item: AppliedTransform) -> Location:
    """Return the place of a transformation: the decorator without its @, or the call."""
    return item.module.location(item.node)


def name_of(function: FunctionNode | None) -> str:
    """Return a function's name; empty for a lambda or where it is not known."""
    return getattr(function, "name", "")


def result_place(module: Module, function: FunctionNode) -> Location:
    """Return the place of a function's result: its one return, a lambda, else its first line."""
    ends = [] if isinstance(function, ast.Lambda) else returns_of(function)
    return module.location(ends[0]) if len(ends) == 1 else definition_place(module, function)


def definition_place(module: Module, function: FunctionNode) -> Location:
    """Return the place of a function's first line, or of a lambda."""
    return module.location(
        function if isinstance(function, ast.Lambda) else module.header(function)
    )
