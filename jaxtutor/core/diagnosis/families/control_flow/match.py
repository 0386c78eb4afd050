"""Matches the causes in structured control flow: scan, loops, cond, recursion, pytrees."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.families.control_flow.field_numbers import field_number
from jaxtutor.core.diagnosis.reading import argument, bound_value, parameters, result_of, returned
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, InContext, Match, at_call
from jaxtutor.core.diagnosis.source import FunctionNode, Location, Module, own_nodes, path_of
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    definition_place,
    find,
    find_in_frames,
    function_argument,
    name_of,
    result_place,
    same_call,
)

LOOPS = ("scan", "fori_loop", "while_loop", "map", "associative_scan")
_INIT_POSITIONS = {"scan": 1, "fori_loop": 3, "while_loop": 2}
_CARRY = re.compile(
    r"(carry component|carry) (?P<path>\S+) has type (?P<in>\S+) .*? has type (?P<out>\S+),"
)
_LEAF = re.compile(r"input carry(?: component)? (\S+) has type")
_GROWING = frozenset(
    {"concatenate", "append", "stack", "vstack", "hstack", "reshape", "ravel", "expand_dims"}
    | {"insert", "delete", "pad", "tile", "repeat", "squeeze", "flatten", "column_stack"}
)


class InLoop(AtFrame, frozen=True, kw_only=True):
    """A cause in a loop or branching: `function` is its body, condition or branch at fault."""

    loop: AppliedTransform | None
    function: FunctionNode | None


class CarryMismatch(InLoop, frozen=True, kw_only=True):
    """A carry whose type changes between two rounds of a loop.

    `init` is the initial carry, `made` the expression that a name in its place stands for; `leaves`
    are the paths of the parts that change, `before` and `after` the types of the first of them.
    """

    init: ast.expr | None
    made: ast.expr | None
    leaves: tuple[tuple[str, ...], ...]
    before: str
    after: str


class MissingReturn(Match, frozen=True, kw_only=True):
    """A function that computes its result and does not return it."""

    module: Module
    function: FunctionNode


class ScannedList(AtFrame, frozen=True, kw_only=True):
    """A scan or map over a list: `given` is what it goes over."""

    given: ast.expr


class DifferentiatedLoop(InContext, frozen=True, kw_only=True):
    """A loop that a reverse-mode gradient goes through; the call at fault if it is not known."""

    loop_call: ast.AST | None


def _in_loop(context: FailureContext, *kinds: str) -> InLoop | None:
    """Return the loop or branching at fault with its body; a match without it if not known."""
    if context.frame is None:
        return None
    loop = find_in_frames(context, *kinds)
    body = body_of(loop) if loop is not None else None
    return InLoop(context=context, frame=context.frame, loop=loop, function=body)


def body_of(loop: AppliedTransform) -> FunctionNode | None:
    """Return the body of a loop, which for a while_loop is its second function."""
    return function_argument(loop, 1, "body_fun") if loop.kind == "while_loop" else loop.function


# ---------------------------------------------------------------- what a body returns


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
    name = (path_of(call.func) or "").rpartition(".")[2]
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
        function=function,
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
    for value in _operands(node):
        found = _made_by(context, value)
        if found is not None:
            return found
    return None


def _branch_named(item: AppliedTransform) -> tuple[Module, FunctionNode] | None:
    """Find the branch of a cond, or the body of a while loop, that returns nothing."""
    found = [f for f in same_call(item) if returns_nothing(f)]
    return (item.module, found[0]) if found else None


def _operands(node: ast.AST) -> list[ast.expr]:
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


def scan_body_not_pair(context: FailureContext) -> InLoop | None:
    """The body of a scan does not return a pair."""
    found = _in_loop(context, "scan")
    if found is None or found.loop is None or found.function is None:
        return found
    place = result_place(found.loop.module, found.function)
    return replace(found, place=place, facts={"function": name_of(found.function)})


# ---------------------------------------------------------------- carries


def _carry(context: FailureContext) -> CarryMismatch | None:
    said = _CARRY.search(context.message)
    found = _in_loop(context, *LOOPS) if said is not None else None
    if said is None or found is None:
        return None
    loop, init = found.loop, None
    if loop is not None and loop.call is not None and loop.kind in _INIT_POSITIONS:
        init = argument(loop.call, _INIT_POSITIONS[loop.kind], "init", "init_val")
    return CarryMismatch(
        None,
        {"name": said["path"], "aval": said["in"]},
        context=context,
        frame=found.frame,
        loop=loop,
        function=found.function,
        init=init,
        made=bound_value(loop.module, init) if loop is not None and init is not None else None,
        leaves=tuple(_path(path, loop) for path in _LEAF.findall(context.message)),
        before=said["in"],
        after=said["out"],
    )


def _path(written: str, loop: AppliedTransform | None) -> tuple[str, ...]:
    """Read the place of a leaf that JAX names: `carry[1]['w']`."""
    keys = tuple(re.findall(r"\[([^\]]*)\]", written))
    return keys[1:] if loop is not None and loop.kind == "fori_loop" else keys


def _init_place(found: CarryMismatch) -> Location | None:
    """Return where the initial carry is made: the statement that binds it, or the expression."""
    if found.loop is None or found.init is None or found.made is None:
        return None
    module = found.loop.module
    if not isinstance(found.init, ast.Name):
        return module.location(found.init)
    bound = [
        s
        for s in module.assignments(found.init.id, module.scope(found.init))
        if isinstance(s, ast.Assign) and s.lineno < found.init.lineno
    ]
    return module.location(bound[-1]) if bound else None


def _is_python_scalars(value: ast.expr) -> bool:
    """Return whether an expression is made of Python numbers only."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float | complex)
        case ast.UnaryOp(operand=operand):
            return _is_python_scalars(operand)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return bool(items) and all(map(_is_python_scalars, items))
        case ast.BinOp(left=left, op=ast.Mult()):
            return isinstance(left, ast.List | ast.Tuple) and _is_python_scalars(left)
        case ast.Dict(values=values):
            return bool(values) and all(map(_is_python_scalars, values))
        case ast.ListComp(elt=item):
            return _is_python_scalars(item)
    return False


def leaf_at(value: ast.expr, path: tuple[str, ...]) -> tuple[ast.expr, tuple[str, ...]]:
    """Follow a path into a value that is written out; return how far it goes, and what is left."""
    for position, key in enumerate(path):
        if isinstance(value, ast.Tuple | ast.List) and key.isdigit() and int(key) < len(value.elts):
            value = value.elts[int(key)]
        elif (
            isinstance(value, ast.Dict) and (part := _value_of(value, key.strip("'\""))) is not None
        ):
            value = part
        else:
            return value, path[position:]
    return value, ()


def _value_of(table: ast.Dict, key: str) -> ast.expr | None:
    keys = [k.value if isinstance(k, ast.Constant) else None for k in table.keys]
    return table.values[keys.index(key)] if key in keys else None


def weak_carry(context: FailureContext) -> CarryMismatch | None:
    """Python scalars in the initial carry are promoted until scan raises."""
    found = _carry(context)
    place = _init_place(found) if found is not None else None
    if found is None or found.made is None or place is None:
        return None
    leaf, _ = leaf_at(found.made, _path(found.facts["name"], found.loop))
    is_weak = _is_python_scalars(leaf)
    return replace(found, place=place, facts={"name": found.facts["name"]}) if is_weak else None


def dtype_change(context: FailureContext) -> CarryMismatch | None:
    """A leaf of the carry comes out of the body with another dtype."""
    found = _carry(context)
    # Where the initial carry is a parameter, its dtype is the caller's: the body has to keep it.
    if found is None:
        return None
    place = _init_place(found) or _field_place(context, found.facts["name"]) or _result_place(found)
    facts = {**found.facts, "detail": f"{found.before} in, {found.after} out"}
    form = "integer" if found.before.startswith(("int", "uint")) else "other"
    return replace(found, place=place, facts=facts, form=form)


def fori_shape_change(context: FailureContext) -> CarryMismatch | None:
    """The state of a fori_loop or while_loop changes its shape."""
    found = _carry(context)
    if found is None or found.loop is None or found.loop.kind == "scan":
        return None
    place = _growing(found) or _init_place(found) or _result_place(found)
    return replace(found, place=place, facts={"aval": found.before})


def scan_shape_change(context: FailureContext) -> CarryMismatch | None:
    """The carry of a scan grows or is reshaped in the body."""
    found = _carry(context)
    if found is None or (found.loop is not None and found.loop.kind != "scan"):
        return None
    place = _growing(found) or _field_place(context, found.facts["name"]) or _result_place(found)
    facts = {**found.facts, "detail": found.after}
    return replace(found, place=place, facts=facts, form=_form_of_change(found))


def _form_of_change(found: CarryMismatch) -> str:
    """Say whether a number became an array, or an array got an axis of size 1."""
    before, after = _sizes(found.before), _sizes(found.after)
    if after in (["1", *before], [*before, "1"]):
        return "axis"
    return "number" if after and not before else ""


def _sizes(aval: str) -> list[str]:
    """Return the sizes of the axes of a type: those of `float32[3,2]` are 3 and 2."""
    return re.findall(r"\w+", aval.rpartition("[")[2])


def _field_place(context: FailureContext, path: str) -> Location | None:
    """Return where the one `.replace(field=…)` of the program sets a field of the carry."""
    field = re.search(r"\.(\w+)$", path)
    found = [
        module.location(keyword.value)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Call) and _called(node) in ("replace", "_replace")
        for keyword in node.keywords
        if field is not None and keyword.arg == field[1]
    ]
    return found[0] if len(found) == 1 else None


def _key_places(context: FailureContext, key: str) -> list[Location]:
    """Return where the program sets a key of a dict."""
    return [
        module.location(module.statement(node) or node)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Constant) and node.value == key and _sets_key(module, node)
    ]


def _is_in_body(found: InLoop, place: Location) -> bool:
    """Return whether a place is in the loop's body, as far as that is known."""
    body, loop = found.function, found.loop
    if body is None or loop is None or place.file != loop.module.file:
        return True
    return body.lineno <= place.span.line <= (body.end_lineno or body.lineno)


def _sets_key(module: Module, key: ast.Constant) -> bool:
    parent = module.parents.get(key)
    if isinstance(parent, ast.Dict):
        return key in parent.keys
    return isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store)


def _result_place(found: InLoop) -> Location | None:
    if found.loop is None or found.function is None:
        return None
    return result_place(found.loop.module, found.function)


def _growing(found: InLoop) -> Location | None:
    """Find the one statement of the body that changes a shape."""
    if found.loop is None or found.function is None:
        return None
    module, function = found.loop.module, found.function
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and _called(n) in _GROWING]
    statements = {module.statement(c) for c in calls}
    statement = statements.pop() if len(statements) == 1 else None
    if not calls or statement is None:
        return None
    return module.location(calls[0] if isinstance(function, ast.Lambda) else statement)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


# ---------------------------------------------------------------- bodies and conditions


def scan_over_list(context: FailureContext) -> ScannedList | None:
    """A scan is given a list or tuple of arrays to go over."""
    for frame in reversed(context.frames):
        node, path = frame.node, frame.callee(frame.node)
        if isinstance(node, ast.Call) and path in ("jax.lax.scan", "jax.lax.map"):
            xs = argument(node, 2 if path == "jax.lax.scan" else 1, "xs")
            kind = frame.kind(xs) or ("list" if _is_list(xs) else None)
            if kind != "list" or not (_is_about_list(context) or frame is context.frame):
                return None
            if xs is None or "carry input and carry output" in context.message:
                return None
            text = {"name": frame.module.text(xs)}
            return ScannedList(frame.place(node), text, context=context, frame=frame, given=xs)
    return None


def _is_list(node: ast.expr | None) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
        return _is_list(node.left) or _is_list(node.right)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("list", "sorted")
    return isinstance(node, ast.List | ast.ListComp)


def _is_about_list(context: FailureContext) -> bool:
    words = (
        "'list'",
        "'tuple'",
        "requires ndarray or scalar arguments",
        "leading axis sizes",
        "of list",
    )
    return any(word in context.message for word in words) or "unhashable" in context.message


_INDEX_NAMES = frozenset(
    {"i", "j", "k", "n", "idx", "index", "it", "iteration", "step", "t", "_i", "ii"}
)


def counter_as_state(context: FailureContext) -> InLoop | None:
    """The counter of a loop is differentiated, because it stands where the state belongs."""
    found = _in_loop(context, "fori_loop", "scan")
    if found is None or found.loop is None or found.function is None:
        return None
    names = [a.arg for a in parameters(found.function)]
    argument_at = argument(context.call, 0) if context.call is not None else None
    if len(names) != 2 or not isinstance(argument_at, ast.Name) or argument_at.id != names[0]:
        return None
    if context.frame is None or context.frame.function is not found.function:
        return None
    place = definition_place(found.loop.module, found.function)
    if found.loop.kind == "scan":
        init = argument(found.loop.call, 1, "init") if found.loop.call is not None else None
        made = bound_value(found.loop.module, init) if init is not None else None
        path = found.loop.module.dotted(made.func) if isinstance(made, ast.Call) else ""
        if init is None or path != "jax.numpy.arange":
            return None
        place = found.loop.module.location(found.loop.node)
    order = {"fori_loop": "body(i, state)", "scan": "scan(f, init, xs)"}[found.loop.kind]
    facts = {"name": names[0], "argument": order}
    return replace(found, place=place, facts=facts)


def fori_swapped(context: FailureContext) -> InLoop | None:
    """The body of a fori_loop takes the state first and the index second."""
    found = _in_loop(context, "fori_loop")
    if found is None or found.loop is None or found.function is None:
        return None
    names = [a.arg for a in parameters(found.function)]
    if len(names) != 2 or not _is_swapped(found.function, *names):
        return None
    facts = {"function": name_of(found.function), "argument": names[0]}
    return replace(found, place=definition_place(found.loop.module, found.function), facts=facts)


def _is_swapped(function: FunctionNode, first: str, second: str) -> bool:
    """Return whether a body uses its first parameter as the state and its second as the index."""
    if second in _INDEX_NAMES and first not in _INDEX_NAMES:
        return True
    return _is_taken_apart(function, first) and not _is_taken_apart(function, second)


def _is_taken_apart(function: FunctionNode, name: str) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and path_of(node.value) == name:
            return True
        if isinstance(node, ast.Assign) and path_of(node.value) == name:
            return isinstance(node.targets[0], ast.Tuple | ast.List)
    return False


def while_cond(context: FailureContext) -> InLoop | None:
    """The condition of a while_loop is not one boolean."""
    found = _in_loop(context, "while_loop")
    test = function_argument(found.loop, 0, "cond_fun") if found and found.loop else None
    if found is None or found.loop is None or test is None:
        return found
    place = result_place(found.loop.module, test)
    return replace(found, place=place, facts={"function": name_of(test)}, function=test)


# ---------------------------------------------------------------- branches


_BRANCH_TYPES = re.compile(
    r"has type \w+\[([\d,]*)\] but the corresponding output of \S+ has type \w+\[([\d,]*)\]"
)


def branch_shape(context: FailureContext) -> InLoop | None:
    """The branches of a cond or switch return different shapes."""
    said = _BRANCH_TYPES.search(context.message)
    found = _in_loop(context, "cond", "switch") if said is not None else None
    if found is None or said is None or said[1] == said[2]:
        return None
    # A number beside an array is written as one: that is a matter of one branch alone.
    if not said[1] or not said[2]:
        return None
    return replace(found, facts={"argument": _shape(said[1]), "container": _shape(said[2])})


def _shape(dims: str) -> str:
    return f"({dims})" if "," in dims else f"({dims},)"


def piecewise(context: FailureContext) -> AtCall | None:
    """The pieces of jnp.piecewise are arrays, and not functions."""
    call = at_call(context)
    pieces = argument(call.node, 2, "funclist") if call is not None else None
    if call is None or call.path != "jax.numpy.piecewise":
        return None
    if not isinstance(pieces, ast.List | ast.Tuple):
        return None
    values = [p for p in pieces.elts if not isinstance(p, ast.Lambda | ast.Constant)]
    named = [p for p in values if call.frame.kind(p) == "function"]
    if not values or named:
        return None
    return replace(call, facts={"name": call.module.text(values[0])})


def branch_dtype(context: FailureContext) -> AtFrame | None:
    """The branches of a cond or switch return different dtypes or shapes."""
    field = field_number(context)
    if field is not None:
        return field
    found = _in_loop(context, "cond", "switch")
    if found is None or found.loop is None:
        return found
    plain = [f for f in same_call(found.loop) if _returns_number(f)]
    if len(plain) != 1:
        return found
    return replace(found, place=result_place(found.loop.module, plain[0]), function=plain[0])


def _returns_number(function: FunctionNode) -> bool:
    values = returned(function)
    return bool(values) and all(v is not None and _has_number(v) for v in values)


def _has_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return any(_has_number(v) for v in value.elts)
    return _is_python_scalars(value)


def branch_structure(context: FailureContext) -> InLoop | None:
    """The branches of a cond or switch return different pytrees."""
    found = _in_loop(context, "cond", "switch")
    if found is None or found.loop is None:
        return found
    empty = [f for f in same_call(found.loop) if returns_nothing(f) or _is_none(f)]
    if len(empty) != 1:
        return found
    place = definition_place(found.loop.module, empty[0])
    return replace(found, place=place, facts={"function": name_of(empty[0])}, function=empty[0])


def _is_none(function: FunctionNode) -> bool:
    return all(isinstance(v, ast.Constant) and v.value is None for v in returned(function))


# ---------------------------------------------------------------- recursion, reverse mode


def recursion(context: FailureContext) -> AtCall | None:
    """A recursive function stops at a traced condition, so tracing it never stops."""
    if context.failure.transformation is None:
        return None
    for frame in reversed(context.frames):
        node, path = frame.node, frame.callee(frame.node)
        if isinstance(node, ast.Call) and path in ("jax.lax.cond", "jax.lax.switch"):
            name = frame.record.function
            facts = {"function": name if name[0] != "<" else ""}
            return AtCall(frame.place(node), facts, context=context, frame=frame, node=node)
    return None


def endless_scan(context: FailureContext) -> AtCall | None:
    """The combining function of an associative scan returns another length than it gets."""
    for frame in reversed(context.frames):
        node = frame.node
        if isinstance(node, ast.Call) and frame.callee(node) == "jax.lax.associative_scan":
            given = argument(node, 1, "elems")
            facts = {"name": frame.module.text(given)} if given is not None else {}
            return AtCall(frame.place(node), facts, context=context, frame=frame, node=node)
    return None


def reverse_mode(context: FailureContext) -> DifferentiatedLoop | None:
    """A reverse-mode gradient goes through a while_loop."""
    found = _loop_in_links(context) or _only_loop(context)
    place = found[0].location(found[1]) if found is not None else None
    node = found[1] if found is not None else context.node
    return DifferentiatedLoop(place, context=context, loop_call=node)


def _loop_in_links(context: FailureContext) -> tuple[Module, ast.AST] | None:
    """Find the loop by the frames that JAX kept from before the transformation."""
    for link in context.chain():
        for frame in reversed(link.frames):
            module = context.modules.get(frame.file)
            node = module.node_at(frame.span) if module is not None else None
            if module is not None and node is not None and _is_loop_call(module, node):
                return module, node
    return None


def _is_loop_call(module: Module, node: ast.AST) -> bool:
    path = module.dotted(node.func) if isinstance(node, ast.Call) else None
    return path in ("jax.lax.while_loop", "jax.lax.fori_loop")


def _only_loop(context: FailureContext) -> tuple[Module, ast.AST] | None:
    found = [(m, n) for m in context.modules.values() for n in m.nodes if _is_loop_call(m, n)]
    return found[0] if len(found) == 1 else None


# ---------------------------------------------------------------- pytrees

_MAPS = ("tree.map", "tree_map", "tree.map_with_path", "tree_map_with_path")
_DIFFERENT = ("Expected tuple", "Expected list", "Expected dict", "key mismatch", "arity mismatch")


def carry_structure(context: FailureContext) -> InLoop | None:
    """The body of a loop returns its carry with another structure."""
    found = _in_loop(context, *LOOPS)
    said = _STRUCTURES.search(context.message)
    if found is None:
        return None
    facts = {}
    if said is not None:
        facts = {
            "name": said["path"],
            "argument": _kind(said["in"]),
            "container": _kind(said["out"]),
        }
    form = _structure_form(found, said) if said is not None else ""
    if form:
        return replace(found, place=_result_place(found), facts=facts, form=form)
    keys = re.search(r"symmetric difference of key sets: \{([^}]*)\}", context.message)
    if keys is None or said is None:
        return replace(found, place=_result_place(found), facts=facts)
    names = re.findall(r"'(\w+)'", keys[1])
    places = _key_places(context, names[0]) if len(names) == 1 else []
    facts["argument"] = ", ".join(f"`{name}`" for name in names)
    in_body = any(_is_in_body(found, place) for place in places)
    if places and not in_body and _loses_children(said):
        return replace(found, place=_result_place(found), facts=facts, form="lost")
    place = places[0] if len(places) == 1 else _result_place(found)
    return replace(found, place=place, facts=facts, form="keys")


_STRUCTURES = re.compile(
    r"The input carry(?: component)? (?P<path>\S+) is (?P<in>.+?) but the corresponding component "
    r"of the carry output is (?P<out>.+?), so"
)


def _structure_form(found: InLoop, said: re.Match[str]) -> str:
    """Name what the body returns instead of the carry, where its `return` shows it."""
    lengths = [re.fullmatch(r"an? \w+ of length (\d+)", said[name]) for name in ("in", "out")]
    before, after = (int(length[1]) if length is not None else 0 for length in lengths)
    if all(lengths) and after > before:
        return "grows"
    returned = result_of(found.function) if found.function is not None else None
    if found.loop is None or not isinstance(returned, ast.Tuple) or len(returned.elts) != 2:
        return ""
    if whole_carry(found):
        return "part"
    if found.loop.kind == "scan":
        is_whole = re.search(r"[.\[]", said["path"]) is None and _kind(said["in"]) == "a tuple"
        return "pair" if is_whole and _starts_with_two(found.loop) else ""
    last = returned.elts[1]
    return "alone" if isinstance(last, ast.Constant) and last.value is None else ""


def whole_carry(found: InLoop) -> str:
    """Write the carry of which a scan's body returns one part: `(h, c)`; else empty.

    The part is a name that one assignment took from a tuple together with the other parts.
    """
    returned = result_of(found.function) if found.function is not None else None
    if not isinstance(returned, ast.Tuple) or found.loop is None or found.function is None:
        return ""
    names = [path_of(element) for element in returned.elts]
    for node in own_nodes(found.function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if found.loop.kind == "scan":
                taken = [path_of(part) for part in parts]
                if names[0] in taken and None not in taken and not set(names[1:]) & set(taken):
                    return f"({', '.join(str(name) for name in taken)})"
    return ""


def _starts_with_two(scan: AppliedTransform) -> bool:
    init = argument(scan.call, 1, "init") if scan.call is not None else None
    start = bound_value(scan.module, init) if init is not None else None
    return isinstance(start, ast.Tuple) and len(start.elts) == 2


def _loses_children(said: re.Match[str]) -> bool:
    """Return whether a part of the carry comes out with fewer children than it went in with."""
    counts = [re.search(r"with (\d+) child", said[name]) for name in ("in", "out")]
    before, after = (int(count[1]) if count is not None else 0 for count in counts)
    return after < before


def _kind(written: str) -> str:
    """Write what JAX says of a part of a carry in words: `a <class 'tuple'>` is a tuple."""
    said = re.fullmatch(r"an? <class '([^']*)'>", written)
    if said is None:
        return "one array" if "leaf" in written else written
    name = said[1].rpartition(".")[2]
    return "one array" if name in ("ShapedArray", "ArrayImpl") else f"a {name}"


def structure_mismatch(context: FailureContext) -> Match | None:
    """Trees that belong together, as in tree.map, have different structures."""
    if "pytree structure error" in context.message and "vmap in_axes" not in context.message:
        return _other_metadata(context) or Match()
    if _calls_map(context.frame) and any(words in context.message for words in _DIFFERENT):
        return Match()
    return _none_leaf(context)


_METADATA = re.compile(r"different pytree metadata[\s\S]*?<class '([\w.<>]+)'>\nwith metadata")


def _other_metadata(context: FailureContext) -> Match | None:
    """Two objects of one class differ in what is not an array: a function, a setting."""
    said, node = _METADATA.search(context.message), context.node
    if said is None or not isinstance(node, ast.Call) or not _calls_map(context.frame):
        return None
    name = said[1].rpartition(".")[2]
    trees = [context.frame.module.text(a) for a in node.args[1:]] if context.frame else []
    facts = {"name": name, "argument": " and ".join(f"`{tree}`" for tree in trees)}
    form = "train_state" if name.endswith("TrainState") else "metadata"
    if form == "train_state" and len(trees) == 2:
        facts["condition"] = ", ".join(f"{tree}.params" for tree in trees)
    return Match(None, facts, form)


def _calls_map(frame: FrameContext | None) -> bool:
    path = frame.callee(frame.node) if frame is not None else None
    return path is not None and path.endswith(_MAPS)


def _none_leaf(context: FailureContext) -> Match | None:
    """A leaf of one tree is None where the other has an array."""
    if "NoneType" not in context.message or len(context.frames) < 2:
        return None
    inner, outer = context.frames[-1], context.frames[-2]
    node = outer.node
    if not _calls_map(outer) or not isinstance(node, ast.Call):
        return None
    if argument(node, None, "is_leaf") is not None:  # with is_leaf the None is intended
        return None
    given = [a.arg for a in parameters(inner.function)]
    is_none = any(inner.kind(name) == "none" for name in given)
    return Match(outer.place(node)) if is_none else None
