"""Matches and fixes functions that compute their result and do not return it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from jaxtutor.core.data.observations import NoneForLeaves, NoneReturned
from jaxtutor.core.diagnosis.causes.loops.loops import LOOPS
from jaxtutor.core.diagnosis.causes.loops.scan_pairs import scan_outputs
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Location,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    definition_place,
    find,
    name_of,
    same_call,
)
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of, returned
from jaxtutor.core.diagnosis.reading.names import is_assignment_to, last_name


class MissingReturn(Finding, frozen=True, kw_only=True):
    """A function that computes its result and does not return it."""

    node: FunctionNode


def returns_nothing(function: FunctionNode | None) -> bool:
    """Return whether a function computes something and has no `return` with a value."""
    if function is None or isinstance(function, ast.Lambda):
        return False
    return not any(value is not None for value in returned(function))


def falls_through(function: FunctionNode) -> bool:
    """Return whether a function can end without reaching a `return`."""
    last = function.body[-1] if isinstance(function.body, list) else None
    while isinstance(last, ast.If):
        if not last.orelse:
            return True
        last = last.orelse[-1]
    return isinstance(last, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr)


def is_effect_only(function: FunctionNode) -> bool:
    """Return whether a function ends in a call made for its effect, or in `pass`."""
    last = function.body[-1] if isinstance(function.body, list) else None
    if isinstance(last, ast.Pass):
        return True
    call = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    name = last_name(call.func)
    return name in ("print", "append", "callback", "breakpoint", "update", "extend", "add", "write")


def missing_return_place(module: Module, function: FunctionNode) -> Location:
    """Return the place where a `return` is missing: the last expression, else the first line."""
    last = function.body[-1] if isinstance(function.body, list) else None
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        return module.location(last)
    return definition_place(module, function)


def lacks_return(function: FunctionNode) -> bool:
    """Return whether a function computes something and can end without returning it."""
    is_silent = returns_nothing(function) or falls_through(function)
    return is_silent and not is_effect_only(function)


def missing_return(context: FailureContext) -> MissingReturn | None:
    """A traced function computes its result and does not return it."""
    found = _function_without_return(context)
    if found is None or not lacks_return(found[1]):
        return None
    module, function = found
    return MissingReturn(
        missing_return_place(module, function),
        {"function": name_of(function)},
        module=module,
        node=function,
    )


def _function_without_return(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    """Find the function whose result is None at the fault."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    item = find(context, *LOOPS, "cond", "switch", "grad", "value_and_grad", "vmap", "jit")
    if item is not None:
        named = _branch_named(item)
        return named or ((item.module, item.function) if item.function is not None else None)
    if isinstance(node, ast.Tuple) and isinstance(frame.statement, ast.Assign):
        node = frame.statement
    for value in _inner_operands(node):
        found = _made_by(context, value)
        if found is not None:
            return found
    return None


def _branch_named(item: AppliedTransform) -> tuple[Module, FunctionNode] | None:
    """Find the branch of a cond, or the body of a while loop, that returns nothing."""
    found = [f for f in same_call(item) if returns_nothing(f)]
    return (item.module, found[0]) if found else None


def _inner_operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Call(args=args, keywords=keywords):
            return [*args, *(k.value for k in keywords)]
        case ast.Subscript(value=value) | ast.Attribute(value=value) | ast.UnaryOp(operand=value):
            return [value]
        case ast.Assign(value=value):
            return [value]
    return []


def _made_by(context: FailureContext, value: ast.expr) -> tuple[Module, FunctionNode] | None:
    """Find the learner's function that made a value: called here, or where the name was bound."""
    frame = context.frame
    assert frame is not None
    if isinstance(value, ast.Name) and frame.kind(value) in (None, "none"):
        bound = frame.module.assignments(value.id, frame.module.scope(value))
        values = [s.value for s in bound if isinstance(s, ast.Assign)]
        return _made_by(context, values[-1]) if values else None
    if not isinstance(value, ast.Call):
        return None
    called = value.func
    if isinstance(called, ast.Call) and called.args:
        called = called.args[0]
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    for module in context.modules.values():
        function = module.function_named(name) or _call_method(module, name)
        if function is not None:
            return module, function
    return None


def _call_method(module: Module, name: str) -> FunctionNode | None:
    """Find the `__call__` of the class that a module-frame name is an instance of."""
    bound = [s.value for s in module.assignments(name, module.tree) if isinstance(s, ast.Assign)]
    made = bound[-1].func if bound and isinstance(bound[-1], ast.Call) else None
    classes = [n for n in module.tree.body if isinstance(n, ast.ClassDef)]
    methods = [
        f
        for c in classes
        if isinstance(made, ast.Name) and c.name == made.id
        for f in c.body
        if isinstance(f, ast.FunctionDef) and f.name == "__call__"
    ]
    return methods[0] if methods else None


def none_returned(spot: ObservedLocation[NoneReturned]) -> MissingReturn | None:
    """Find the function that computes its answer and does not return it."""
    module, function = spot.module, spot.observed_function
    if function is None or not lacks_return(function):
        return None
    place, facts = missing_return_place(module, function), {"function": name_of(function)}
    return MissingReturn(place, facts, module=module, node=function)


class NoneLeaf(Finding, frozen=True, kw_only=True):
    """A function of the leaves of a tree, `leaf`, that returns a value on some paths only."""

    node: ast.FunctionDef
    leaf: str


def none_for_leaves(spot: ObservedLocation[NoneForLeaves]) -> NoneLeaf | None:
    """A function that a map calls, and that forgets to return some leaves.

    It is certain if the tree that it belongs to is replaced by what the map returns.
    """
    function, seen = spot.observed_function, spot.seen
    if not isinstance(function, ast.FunctionDef) or not falls_through(function):
        return None
    if not all(value is not None for value in returned(function)):
        return None
    mapped = _map_call(spot)
    if mapped is None:
        return None
    module, call = mapped
    names = parameter_names(function)[last_name(call.func).endswith("with_path") :]
    facts = {
        "function": function.name,
        "name": seen.path,
        "detail": f"{seen.count} of {seen.among}",
        "argument": names[0] if names else "",
    }
    return NoneLeaf(
        definition_place(spot.module, function),
        facts,
        "leaves",
        module=spot.module,
        node=function,
        is_certain=_is_replaced(spot.modules, module, call),
        leaf=facts["argument"],
    )


def _map_call(spot: ObservedLocation[NoneForLeaves]) -> tuple[Module, ast.Call] | None:
    """Return the call that maps the function over a tree."""
    mapped = spot.seen.mapped
    module = spot.modules.get(mapped.file) if mapped is not None else None
    node = module.node_at(mapped.span) if module is not None and mapped is not None else None
    return (module, node) if module is not None and isinstance(node, ast.Call) else None


def _is_replaced(modules: Mapping[str, Module], module: Module, mapped: ast.Call) -> bool:
    """Return whether a map's result takes the place of the tree: `x = jax.tree.map(f, x)`.

    A function that returns the map of its parameter takes it if its caller does.
    """
    tree = argument(mapped, 1, "tree")
    if tree is None or _binds_its_argument(module, mapped, tree):
        return tree is not None
    function = module.function(mapped)
    if not isinstance(function, ast.FunctionDef) or result_of(function) is not mapped:
        return False
    calls = [(each, call) for each in modules.values() for call in calls_to(each, function.name)]
    return any(
        (given := argument_for(function, call, path_of(tree) or "")) is not None
        and _binds_its_argument(each, call, given)
        for each, call in calls
    )


def _binds_its_argument(module: Module, call: ast.Call, value: ast.expr) -> bool:
    """Return whether a call is assigned to the variable that it is given."""
    return is_assignment_to(module.parents.get(call, call), path_of(value))


def return_leaf(found: NoneLeaf) -> Drafts:
    """Return the leaf as it is at the end of a function of leaves."""
    last = found.node.body[-1]
    if found.leaf:
        text = f"{indent_of(found.module, last)}return {found.leaf}"
        yield Draft(found.module).lines_after(last, text)


def add_return(found: MissingReturn) -> Drafts:
    """Return what the function computes."""
    if isinstance(found.node, ast.FunctionDef):
        yield from _add_return(found.module, found.node)


def _add_return(module: Module, function: ast.FunctionDef) -> Drafts:
    result = _result(module, function)
    if result is None:
        return
    last = function.body[-1]
    loop = next((a for a in applied(module) if a.function is function and a.kind in LOOPS), None)
    texts = [result]
    if loop is not None and loop.kind == "scan":
        carry = f"({result})" if "," in result else result
        texts = [f"{carry}, {extra}" for extra in scan_outputs(loop, carry)]
    for text in texts:
        draft = Draft(module)
        if isinstance(last, ast.Expr):
            yield draft.replace(last, f"return {text}")
        else:
            yield draft.lines_after(last, f"{indent_of(module, last)}return {text}")


def _result(module: Module, function: ast.FunctionDef) -> str | None:
    """Guess what a function without a return computes: its state, else what it bound last."""
    last = function.body[-1]
    if isinstance(last, ast.Expr):
        return module.text(last.value)
    names = parameter_names(function)
    statements = [s for s in own_nodes(function) if isinstance(s, ast.stmt)]
    bound = {name for s in statements for name in bound_names(s)}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if (
                name in names
            ):
                return ", ".join(module.text(part) for part in parts)
    state = [name for name in names if name in bound]
    if len(state) == 1:
        return state[0]
    if isinstance(last, ast.Assign) and len(last.targets) == 1:
        return module.text(last.targets[0])
    return module.text(last.target) if isinstance(last, ast.AugAssign) else None


RULES = (
    Rule("missing-return", raised(missing_return), add_return),
    Rule(
        "missing-return",
        observed((NoneReturned, none_returned), (NoneForLeaves, none_for_leaves)),
        by_match(add_return, return_leaf),
    ),
)
