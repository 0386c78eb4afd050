"""Owns the causes in structured control flow: scan, loops, cond, recursion under a trace."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, Location, Match, argument, parameters
from jaxtutor.core.diagnosis.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    applied,
    definition_place,
    find,
    name_of,
    resolve,
    result_place,
    returned,
)

_LOOPS = ("scan", "fori_loop", "while_loop", "map", "associative_scan")
_CARRY = re.compile(
    r"(carry component|carry) (?P<path>\S+) has type (?P<in>\S+) .*? has type (?P<out>\S+),"
)
_GROWING = frozenset(
    {"concatenate", "append", "stack", "vstack", "hstack", "reshape", "ravel", "expand_dims"}
    | {"insert", "delete", "pad", "tile", "repeat", "squeeze", "flatten", "column_stack"}
)


def _says(context: FailureContext, text: str) -> bool:
    return context.error == "TypeError" and text in context.message


def _loop(context: FailureContext, at: ast.AST | None = None) -> AppliedTransform | None:
    return find(context, *_LOOPS, at=at)


def body_of(
    context: FailureContext, at: ast.AST | None = None
) -> tuple[Module, FunctionNode] | None:
    """Find the body of the loop at fault, or of the one that a call makes."""
    loop = _loop(context, at)
    if loop is None or loop.call is None:
        return None
    items = [loop]
    if loop.kind == "while_loop":
        items = [a for a in _same_call(loop) if _is_argument(a, 1, "body_fun")]
    found = items[0].function if items else None
    return (loop.module, found) if found is not None else None


def _same_call(loop: AppliedTransform) -> list[AppliedTransform]:
    """List all that one call transforms: a condition and a body, or several branches."""
    return [a for a in applied(loop.module) if a.node is loop.node]


def _is_argument(item: AppliedTransform, position: int, name: str) -> bool:
    given = argument(item.call, position, name) if item.call is not None else None
    return given is not None and resolve(item.module, given, item.node) is item.function


# ---------------------------------------------------------------- what a body returns


def returns_nothing(function: FunctionNode | None) -> bool:
    """Tell whether a function computes something and has no `return` with a value."""
    if function is None or isinstance(function, ast.Lambda):
        return False
    return not any(value is not None for value in returned(function))


def falls_through(function: FunctionNode) -> bool:
    """Tell whether a function can end without reaching a `return`."""
    last = function.body[-1] if isinstance(function.body, list) else None
    while isinstance(last, ast.If):
        if not last.orelse:
            return True
        last = last.orelse[-1]
    return isinstance(last, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr)


def is_effect_only(function: FunctionNode) -> bool:
    """Tell whether a function ends in a call made for its effect, or in `pass`."""
    last = function.body[-1] if isinstance(function.body, list) else None
    if isinstance(last, ast.Pass):
        return True
    call = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    name = (path_of(call.func) or "").rpartition(".")[2]
    return name in ("print", "append", "callback", "breakpoint", "update", "extend", "add", "write")


def missing_return_place(module: Module, function: FunctionNode) -> Location:
    """Give the place where a `return` is missing: the last expression, else the first line."""
    last = function.body[-1] if isinstance(function.body, list) else None
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        span = module.span(last)
        return Location(module.file, span, module.text(span))
    return definition_place(module, function)


def missing_return(context: FailureContext) -> Match | None:
    """A traced function computes its result and does not return it."""
    if context.error not in ("TypeError", "AttributeError") or not _speaks_of_none(context):
        return None
    found = _function_without_return(context)
    if found is None or is_effect_only(found[1]):
        return None
    if not returns_nothing(found[1]) and not falls_through(found[1]):
        return None
    module, function = found
    return Match(missing_return_place(module, function), {"function": name_of(function)})


def _speaks_of_none(context: FailureContext) -> bool:
    message = context.message
    words = ("NoneType", "got None", "was None", "PyTreeDef(None)", "None, but")
    return any(word in message for word in words)


def _function_without_return(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    """Find the function whose result is None at the fault."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    item = find(context, *_LOOPS, "cond", "switch", "grad", "value_and_grad", "vmap", "jit")
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
    same = [a.function for a in _same_call(item)]
    found = [f for f in same if f is not None and returns_nothing(f)]
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


def scan_body_not_pair(context: FailureContext) -> Match | None:
    """The body of a scan does not return a pair."""
    if not _says(context, "scan body output must be a pair"):
        return None
    body = body_of(context)
    return Match(result_place(*body), {"function": name_of(body[1])}) if body else Match()


# ---------------------------------------------------------------- carries


def _carry(context: FailureContext) -> re.Match[str] | None:
    if "carry input and carry output must have" not in context.message:
        return None
    return _CARRY.search(context.message)


def _init(context: FailureContext) -> tuple[Module, ast.expr] | None:
    """Find the initial carry of the loop at fault."""
    loop = _loop(context)
    position = {"scan": 1, "fori_loop": 3, "while_loop": 2}.get(loop.kind if loop else "")
    if loop is None or loop.call is None or position is None:
        return None
    found = argument(loop.call, position, "init", "init_val")
    return (loop.module, found) if found is not None else None


def _made_at(module: Module, value: ast.expr) -> tuple[Location, ast.expr] | None:
    """Find where a value is made: the statement that binds the name, or the expression itself."""
    if isinstance(value, ast.Name):
        bound = [
            s
            for s in module.assignments(value.id, module.scope(value))
            if isinstance(s, ast.Assign) and s.lineno < value.lineno
        ]
        if not bound:
            return None
        span = module.span(bound[-1])
        return Location(module.file, span, module.text(span)), bound[-1].value
    span = module.span(value)
    return Location(module.file, span, module.text(span)), value


def _is_python_scalars(value: ast.expr) -> bool:
    """Tell whether an expression is made of Python numbers only."""
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


def _leaf(context: FailureContext, value: ast.expr) -> ast.expr:
    """Follow JAX's path (`carry[1]`) into an initial value that is written out."""
    found = _carry(context)
    path = re.findall(r"\[([^\]]*)\]", found["path"]) if found is not None else []
    loop = _loop(context)
    if loop is not None and loop.kind == "fori_loop" and path:
        path = path[1:]
    for key in path:
        if isinstance(value, ast.Tuple | ast.List) and key.isdigit() and int(key) < len(value.elts):
            value = value.elts[int(key)]
        elif isinstance(value, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in value.keys]
            if key.strip("'\"") not in keys:
                return value
            value = value.values[keys.index(key.strip("'\""))]
        else:
            return value
    return value


def weak_carry(context: FailureContext) -> Match | None:
    """Python scalars in the initial carry are promoted until scan gives up."""
    found, init = _carry(context), _init(context)
    if found is None or init is None or "dtypes do not match" not in context.message:
        return None
    made = _made_at(*init)
    if made is None or not _is_python_scalars(_leaf(context, made[1])):
        return None
    return Match(made[0], {"name": found["path"]})


def dtype_change(context: FailureContext) -> Match | None:
    """A leaf of the carry comes out of the body with another dtype."""
    found = _carry(context)
    if found is None or "dtypes do not match" not in context.message:
        return None
    init = _init(context)
    made = _made_at(*init) if init is not None else None
    facts = {"name": found["path"], "aval": found["in"]}
    return Match(made[0] if made is not None else None, facts)


def fori_shape_change(context: FailureContext) -> Match | None:
    """The state of a fori_loop or while_loop changes its shape."""
    loop, found = _loop(context), _carry(context)
    if found is None or loop is None or loop.kind == "scan":
        return None
    if "shapes do not match" not in context.message:
        return None
    growing = _growing(context)
    init = _init(context)
    made = _made_at(*init) if init is not None else None
    return Match(growing or (made[0] if made is not None else None), {"aval": found["in"]})


def scan_shape_change(context: FailureContext) -> Match | None:
    """The carry of a scan grows or is reshaped in the body."""
    loop, found = _loop(context), _carry(context)
    if found is None or "shapes do not match" not in context.message:
        return None
    if loop is not None and loop.kind != "scan":
        return None
    return Match(
        _growing(context) or _result(context), {"name": found["path"], "aval": found["in"]}
    )


def _result(context: FailureContext) -> Location | None:
    body = body_of(context)
    return result_place(*body) if body is not None else None


def _growing(context: FailureContext) -> Location | None:
    """Find the one statement of the body that changes a shape."""
    body = body_of(context)
    if body is None:
        return None
    module, function = body
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and _called(n) in _GROWING]
    statements = {module.statement(c) for c in calls}
    if len(statements) != 1:
        return None
    span = module.span(calls[0])
    statement = statements.pop()
    if statement is not None and not isinstance(function, ast.Lambda):
        span = module.span(statement)
    return Location(module.file, span, module.text(span))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


# ---------------------------------------------------------------- bodies and conditions


def scan_over_list(context: FailureContext) -> Match | None:
    """A scan is given a list or tuple of arrays to go over."""
    for frame in reversed(context.frames):
        node = frame.node
        if isinstance(node, ast.Call) and frame.callee(node) in ("jax.lax.scan", "jax.lax.map"):
            xs = argument(node, 2 if frame.callee(node) == "jax.lax.scan" else 1, "xs")
            kind = frame.kind(xs) or ("list" if _is_list(xs) else None)
            if kind != "list" or not (_is_about_list(context) or frame is context.frame):
                return None
            text = frame.module.text(xs) if xs is not None else ""
            is_carry = "carry input and carry output" in context.message
            return None if is_carry else Match(frame.place(node), {"name": text})
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


def fori_swapped(context: FailureContext) -> Match | None:
    """The body of a fori_loop takes the state first and the index second."""
    found = _fori_body(context)
    if found is None:
        return None
    module, function = found
    names = [a.arg for a in parameters(function)]
    if len(names) != 2 or not _is_swapped(function, *names):
        return None
    facts = {"function": name_of(function), "argument": names[0]}
    return Match(definition_place(module, function), facts)


def _fori_body(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    for frame in reversed(context.frames):
        if frame.callee(frame.node) == "jax.lax.fori_loop":
            return body_of(context, at=frame.node)
    return None


def _is_swapped(function: FunctionNode, first: str, second: str) -> bool:
    """Tell whether a body uses its first parameter as the state and its second as the index."""
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


def while_cond(context: FailureContext) -> Match | None:
    """The condition of a while_loop is not one boolean."""
    if not _says(context, "cond_fun must return a boolean scalar"):
        return None
    loop = _loop(context)
    if loop is None:
        return Match()
    found = [a for a in _same_call(loop) if _is_argument(a, 0, "cond_fun")]
    if not found or found[0].function is None:
        return Match()
    function = found[0].function
    return Match(result_place(loop.module, function), {"function": name_of(function)})


# ---------------------------------------------------------------- branches


def branch_dtype(context: FailureContext) -> Match | None:
    """The branches of a cond or switch return different dtypes or shapes."""
    if not _says(context, "branches must have equal output types"):
        return None
    branch = _odd_branch(context)
    return Match(result_place(*branch) if branch is not None else None)


def _odd_branch(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    """Find the one branch that returns a plain number while the other computes."""
    item = find(context, "cond", "switch")
    if item is None:
        return None
    branches = [a.function for a in _same_call(item)]
    plain = [f for f in branches if f is not None and _returns_number(f)]
    return (item.module, plain[0]) if len(plain) == 1 else None


def _returns_number(function: FunctionNode) -> bool:
    values = returned(function)
    return bool(values) and all(v is not None and _has_number(v) for v in values)


def _has_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return any(_has_number(v) for v in value.elts)
    return _is_python_scalars(value)


def branch_structure(context: FailureContext) -> Match | None:
    """The branches of a cond or switch return different pytrees."""
    is_branch = _says(context, "branch outputs must have the same pytree structure")
    if not is_branch and not _says(context, "branches must have the same pytree structure"):
        return None
    item = find(context, "cond", "switch")
    branches = [a.function for a in _same_call(item)] if item is not None else []
    empty = [f for f in branches if f is not None and (returns_nothing(f) or _is_none(f))]
    if item is None or len(empty) != 1:
        return Match()
    return Match(definition_place(item.module, empty[0]), {"function": name_of(empty[0])})


def _is_none(function: FunctionNode) -> bool:
    return all(isinstance(v, ast.Constant) and v.value is None for v in returned(function))


# ---------------------------------------------------------------- recursion, reverse mode


def recursion(context: FailureContext) -> Match | None:
    """A recursive function stops at a traced condition, so tracing it never stops."""
    if context.error != "RecursionError" or context.failure.transformation is None:
        return None
    for frame in reversed(context.frames):
        if (
            frame.callee(frame.node) in ("jax.lax.cond", "jax.lax.switch")
            and frame.node is not None
        ):
            name = frame.record.function
            return Match(frame.place(frame.node), {"function": name if name[0] != "<" else ""})
    return None


def reverse_mode(context: FailureContext) -> Match | None:
    """A reverse-mode gradient goes through a while_loop."""
    if (
        context.error != "ValueError"
        or "Reverse-mode differentiation does not work" not in context.message
    ):
        return None
    return Match(_loop_in_links(context) or _only_loop(context))


def _loop_in_links(context: FailureContext) -> Location | None:
    """Find the loop by the frames that JAX kept from before the transformation."""
    for link in context.chain():
        for frame in reversed(link.frames):
            module = context.modules.get(frame.file)
            node = module.node_at(frame.span) if module is not None else None
            if module is not None and _is_loop_call(module, node):
                assert node is not None
                return Location(module.file, frame.span, module.text(frame.span))
    return None


def _is_loop_call(module: Module, node: ast.AST | None) -> bool:
    path = module.dotted(node.func) if isinstance(node, ast.Call) else None
    return path in ("jax.lax.while_loop", "jax.lax.fori_loop")


def _only_loop(context: FailureContext) -> Location | None:
    found = [
        (m, n) for m in context.modules.values() for n in ast.walk(m.tree) if _is_loop_call(m, n)
    ]
    if len(found) != 1:
        return None
    module, node = found[0]
    span = module.span(node)
    return Location(module.file, span, module.text(span))


MATCHERS = (
    ("fori-body-args-swapped", fori_swapped),
    ("missing-return", missing_return),
    ("scan-over-python-list", scan_over_list),
    ("scan-body-not-pair", scan_body_not_pair),
    ("scan-carry-weak-type", weak_carry),
    ("scan-carry-dtype-change", dtype_change),
    ("fori-carry-shape-change", fori_shape_change),
    ("scan-carry-shape-change", scan_shape_change),
    ("while-cond-not-scalar-bool", while_cond),
    ("cond-branch-dtype-mismatch", branch_dtype),
    ("cond-branch-structure-mismatch", branch_structure),
    ("recursion-under-trace", recursion),
    ("reverse-mode-through-while", reverse_mode),
)
