"""Owns the mending of scan, loops and cond: bodies, carries, conditions and branches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import argument, parameters
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.static_args.fix import make_static
from jaxtutor.core.diagnosis.rewriting.conditions import negated, truth
from jaxtutor.core.diagnosis.rewriting.site import (
    Drafts,
    Fixer,
    FixSite,
    atom,
    bound_value,
    fresh_name,
    indent_of,
    is_number,
    result_of,
    returns_of,
)
from jaxtutor.core.diagnosis.source import FunctionNode, Module, bound_names, names_in, own_nodes
from jaxtutor.core.diagnosis.transforms import AppliedTransform, applied, find, resolve

_LOOPS = ("scan", "fori_loop", "while_loop", "map", "associative_scan")
_TYPES = re.compile(r"has type (\S+?)\[(\S*?)\].*?has type (\S+?)\[(\S*?)\]", re.S)


def _loop(site: FixSite, *kinds: str) -> AppliedTransform | None:
    """Find the loop at fault in any of the learner's frames, the innermost first."""
    if site.context is None:
        return None
    for frame in reversed(site.context.frames):
        found = find(site.context, *(kinds or _LOOPS), at=frame.node) if frame.node else None
        if found is not None:
            return found
    return None


def _body(loop: AppliedTransform) -> FunctionNode | None:
    """Give the body of a loop, which for a while_loop is its second function."""
    if loop.kind != "while_loop" or loop.call is None:
        return loop.function
    given = argument(loop.call, 1, "body_fun")
    return resolve(loop.module, given, loop.node) if given is not None else None


# ---------------------------------------------------------------- what a body returns


def body_pair(site: FixSite) -> Drafts:
    """The body of a scan returns its carry and what it gives out."""
    loop = _loop(site, "scan")
    body = _body(loop) if loop is not None else None
    if loop is None or body is None:
        return
    value = result_of(body)
    if value is None:
        return
    for extra in _outputs(loop, atom_text(loop.module, value)):
        draft, text = Draft(loop.module), loop.module.text(value)
        grouped = _grouped(loop, value)
        if grouped is not None:
            yield draft.replace(value, grouped)
            return
        carry = f"({text})" if isinstance(value, ast.Tuple) and text[:1] != "(" else text
        pair = f"{carry}, {extra}"
        yield draft.replace(value, f"({pair})" if isinstance(body, ast.Lambda) else pair)


def atom_text(module: Module, node: ast.expr) -> str:
    """Write an expression that can stand in a tuple."""
    return atom(module, node) if isinstance(node, ast.Tuple) else module.text(node)


def _grouped(loop: AppliedTransform, value: ast.expr) -> str | None:
    """`a, b, y` for a carry of two becomes `(a, b), y`."""
    init = argument(loop.call, 1, "init") if loop.call is not None else None
    start = bound_value(loop.module, init) if init is not None else None
    if not isinstance(value, ast.Tuple) or not isinstance(start, ast.Tuple):
        return None
    if len(value.elts) != len(start.elts) + 1:
        return None
    texts = [loop.module.text(item) for item in value.elts]
    return f"({', '.join(texts[:-1])}), {texts[-1]}"


def _outputs(loop: AppliedTransform, carry: str) -> list[str]:
    """List what a scan may give out: nothing where its caller drops it, else the carry."""
    parent = loop.module.parents.get(loop.node)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    second = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else None
    is_used = isinstance(second, ast.Name) and not second.id.startswith("_")
    return [carry, "None"] if is_used else ["None", carry]


def missing_return(site: FixSite) -> Drafts:
    """A function that computes its result returns it."""
    module, node = site.module, site.node
    function = _function_here(module, node)
    if module is None or function is None:
        return
    result = _result(module, function)
    if result is None:
        return
    last = function.body[-1]
    loop = next((a for a in applied(module) if a.function is function and a.kind in _LOOPS), None)
    texts = [result]
    if loop is not None and loop.kind == "scan":
        carry = f"({result})" if "," in result else result
        texts = [f"{carry}, {extra}" for extra in _outputs(loop, carry)]
    for text in texts:
        draft = Draft(module)
        if isinstance(last, ast.Expr):
            yield draft.replace(last, f"return {text}")
        else:
            yield draft.lines_after(last, f"{indent_of(module, last)}return {text}")


def _function_here(module: Module | None, node: ast.AST | None) -> ast.FunctionDef | None:
    if module is None or node is None:
        return None
    if isinstance(node, ast.FunctionDef):
        return node
    found = module.function(node)
    return found if isinstance(found, ast.FunctionDef) else None


def _result(module: Module, function: ast.FunctionDef) -> str | None:
    """Guess what a function without a return computes: its state, else what it bound last."""
    last = function.body[-1]
    if isinstance(last, ast.Expr):
        return module.text(last.value)
    names = [a.arg for a in parameters(function)]
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


# ---------------------------------------------------------------- carries


def _init(loop: AppliedTransform) -> ast.expr | None:
    position = {"scan": 1, "fori_loop": 3, "while_loop": 2}.get(loop.kind)
    if loop.call is None or position is None:
        return None
    given = argument(loop.call, position, "init", "init_val")
    return bound_value(loop.module, given) if given is not None else None


def carry_dtype(site: FixSite) -> Drafts:
    """The initial carry has the dtype that the body gives back."""
    loop, types = _loop(site), _TYPES.search(site.message)
    init = _init(loop) if loop is not None else None
    if loop is None or init is None or types is None:
        return
    every = _cast_numbers(loop.module, init, types[3])
    if site.diagnosis.cause == "scan-carry-weak-type":
        yield every
    for path in _paths(site.message, loop):
        leaf = _leaf(init, path)
        draft = Draft(loop.module)
        if leaf is not None and _cast(draft, leaf, types[3]):
            yield draft
    yield every


def _cast_numbers(module: Module, init: ast.expr, dtype: str) -> Draft | None:
    """Give every number of an initial carry a dtype."""
    draft = Draft(module)
    numbers = [n for n in ast.walk(init) if isinstance(n, ast.expr) and is_number(n)]
    for number in numbers:
        if not _is_argument(module, number):
            _cast(draft, number, dtype)
    return draft if numbers else None


def _is_argument(module: Module, node: ast.AST) -> bool:
    """Tell whether a number is a size or an index and not a part of a carry."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.UnaryOp):
        return True
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mult) and parent.right is node
    return isinstance(parent, ast.Call | ast.keyword | ast.Subscript)


def _paths(message: str, loop: AppliedTransform) -> Iterator[list[str]]:
    """Read the places in the carry that JAX names: `carry[1]['w']`."""
    for found in re.finditer(r"input carry(?: component)? (\S+) has type", message):
        path = re.findall(r"\[([^\]]*)\]", found[1])
        yield path[1:] if loop.kind == "fori_loop" and path else path


def _leaf(value: ast.expr, path: list[str]) -> ast.expr | None:
    for key in path:
        if isinstance(value, ast.Tuple | ast.List) and key.isdigit() and int(key) < len(value.elts):
            value = value.elts[int(key)]
        elif isinstance(value, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in value.keys]
            if key.strip("'\"") not in keys:
                return None
            value = value.values[keys.index(key.strip("'\""))]
        else:
            return None
    return value


_DTYPE_POSITIONS = {"zeros": 1, "ones": 1, "full": 2, "array": 1, "asarray": 1, "empty": 1}


def _cast(draft: Draft, leaf: ast.expr, dtype: str) -> bool:
    """Give a leaf another dtype where it is made."""
    module = draft.module
    wanted = draft.name(f"jax.numpy.{dtype}") if dtype.isidentifier() else ""
    if not wanted or isinstance(leaf, ast.Tuple | ast.List | ast.Dict):
        return False
    if is_number(leaf):
        text = module.text(leaf)
        is_whole = text.lstrip("-").isdigit()
        if is_whole and dtype in ("float32", "float64"):
            draft.replace(leaf, f"{text}.0")
        else:
            draft.replace(leaf, f"{wanted}({text})")
        return True
    path = module.dotted(leaf.func) if isinstance(leaf, ast.Call) else None
    name = (path or "").rpartition(".")[2]
    if isinstance(leaf, ast.Call) and name in _DTYPE_POSITIONS and path and path[:4] == "jax.":
        given = argument(leaf, _DTYPE_POSITIONS[name], "dtype")
        if given is not None:
            draft.replace(given, wanted)
            return True
    if isinstance(leaf, ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
        draft.wrap(leaf, f"{draft.name('jax.numpy.asarray')}(", f", {wanted})")
        return True
    return False


def carry_shape(site: FixSite) -> Drafts:
    """A scalar initial state gets the shape that the body gives back."""
    loop, types = _loop(site), _TYPES.search(site.message)
    init = _init(loop) if loop is not None else None
    if loop is None or init is None or types is None:
        return
    before, after = types[2], types[4]
    for path in _paths(site.message, loop):
        leaf = _leaf(init, path)
        if leaf is None or before not in ("", "1"):
            continue
        for shape in _shapes(site, after):
            yield _shaped(Draft(loop.module), leaf, shape)


def _shaped(draft: Draft, leaf: ast.expr, shape: str) -> Draft | None:
    text = draft.module.text(leaf)
    if is_number(leaf) and float(ast.literal_eval(leaf)) == 0:
        return draft.replace(leaf, f"{draft.name('jax.numpy.zeros')}({shape})")
    if isinstance(leaf, ast.Constant | ast.UnaryOp | ast.Name | ast.Call):
        return draft.replace(leaf, f"{draft.name('jax.numpy.full')}({shape}, {text})")
    return None


def _shapes(site: FixSite, dims: str) -> Iterator[str]:
    """Write a shape by the array that has it, else by its numbers."""
    frame = site.frame
    facts = frame.names.items() if frame is not None else ()
    for name, fact in facts:
        own = re.search(r"\[(.*)\]", fact.detail)
        if fact.kind not in ("tracer", "array", "ndarray") or own is None or not dims:
            continue
        if own[1] == dims:
            yield f"{name}.shape"
        elif own[1].endswith("," + dims):
            yield f"{name}.shape[{own[1].count(',') - dims.count(',')}:]"
    if dims and all(part.isdigit() for part in dims.split(",")):
        yield f"({dims},)" if "," not in dims else f"({dims.replace(',', ', ')})"


def scan_list(site: FixSite) -> Drafts:
    """A list of arrays to scan over becomes one array, a list of trees one tree."""
    module, node = site.module, site.node
    loop = _loop(site, "scan", "map")
    call = node if isinstance(node, ast.Call) else loop.call if loop is not None else None
    if module is None or call is None:
        return
    is_map = (module.dotted(call.func) or "").endswith("lax.map")
    given = argument(call, 1 if is_map else 2, "xs")
    if given is None:
        return
    draft, text = Draft(module), module.text(given)
    yield draft.replace(given, f"{draft.name('jax.numpy.stack')}({text})")
    draft = Draft(module)
    stack, tree = draft.name("jax.numpy.stack"), draft.name("jax.tree.map")
    yield draft.replace(given, f"{tree}(lambda *leaves: {stack}(leaves), *{text})")


# ---------------------------------------------------------------- bodies and conditions


def swap_arguments(site: FixSite) -> Drafts:
    """The body of a fori_loop takes the index first."""
    loop = _loop(site, "fori_loop")
    body = loop.function if loop is not None else None
    if loop is None or body is None or len(body.args.args) != 2:
        return
    first, second = body.args.args
    module = loop.module
    yield Draft(module).replace(first, module.text(second)).replace(second, module.text(first))


def scalar_condition(site: FixSite) -> Drafts:
    """The condition of a while_loop is one boolean."""
    loop = _loop(site, "while_loop")
    given = argument(loop.call, 0, "cond_fun") if loop is not None and loop.call else None
    function = resolve(loop.module, given, loop.node) if loop is not None and given else None
    value = result_of(function) if function is not None else None
    if loop is None or value is None:
        return
    module, text = loop.module, loop.module.text(value)
    if isinstance(value, ast.Tuple):
        parts = [atom(module, item) for item in value.elts]
        yield Draft(module).replace(value, " & ".join(parts))
    elif re.search(r"bool\[\]", site.message) is None and re.search(
        r"(?:int|float)\d+\[\]", site.message
    ):
        yield Draft(module).replace(value, f"{atom(module, value)} != 0")
    else:
        for name in ("any", "all"):
            draft = Draft(module)
            yield draft.replace(value, f"{draft.name('jax.numpy.' + name)}({text})")


def branch_dtype(site: FixSite) -> Drafts:
    """The branches of a cond or switch give the same dtype."""
    loop = _loop(site, "cond", "switch")
    if loop is None:
        return
    same = [a.function for a in applied(loop.module) if a.node is loop.node and a.function]
    values = [(f, result_of(f)) for f in same]
    for function, value in values:
        if value is not None and _is_whole(value):
            draft, text = Draft(loop.module), loop.module.text(value)
            yield draft.replace(value, f"{text}.0")
        if value is not None and is_number(value):
            yield _like_operand(loop, function, value)
    types = re.findall(r"(\w+?)\[([\d,]*)\]", site.message)
    floats = [t for t, _ in types if t.startswith(("float", "bfloat"))]
    for _, value in values:
        if value is not None and floats and not isinstance(value, ast.Tuple):
            draft = Draft(loop.module)
            wanted = draft.name(f"jax.numpy.{floats[0]}")
            yield draft.wrap(value, f"{draft.name('jax.numpy.asarray')}(", f", {wanted})")


def _is_whole(value: ast.expr) -> bool:
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def _like_operand(loop: AppliedTransform, function: FunctionNode, value: ast.expr) -> Draft | None:
    """Give a plain number the shape of the branch's operand."""
    given = parameters(function)
    if len(given) != 1:
        return None
    draft, text = Draft(loop.module), loop.module.text(value)
    name = given[0].arg
    return draft.replace(value, f"{draft.name('jax.numpy.full_like')}({name}, {text})")


def branch_structure(site: FixSite) -> Drafts:
    """A branch that returns nothing gives its operand back."""
    loop = _loop(site, "cond", "switch")
    if loop is None:
        return
    functions = [a.function for a in applied(loop.module) if a.node is loop.node and a.function]
    for function in functions:
        names = [a.arg for a in parameters(function)]
        given = names[0] if len(names) == 1 else f"({', '.join(names)})"
        value = result_of(function)
        if names and isinstance(value, ast.Constant) and value.value is None:
            yield Draft(loop.module).replace(value, given)
        elif names and isinstance(function, ast.FunctionDef) and not returns_of(function):
            yield from _give_back(loop.module, function, given)
    yield _list_to_tuple(loop, functions)


def _give_back(module: Module, function: ast.FunctionDef, given: str) -> Iterator[Draft]:
    last = function.body[-1]
    result = _result(module, function)
    text = f"return {given if result is None else result}"
    if isinstance(last, ast.Pass | ast.Expr):
        yield Draft(module).replace(last, text)
    else:
        yield Draft(module).lines_after(last, indent_of(module, last) + text)


def _list_to_tuple(loop: AppliedTransform, functions: list[FunctionNode]) -> Draft | None:
    values = [result_of(f) for f in functions]
    lists = [v for v in values if isinstance(v, ast.List)]
    if len(lists) != 1 or not any(isinstance(v, ast.Tuple) for v in values):
        return None
    inner = loop.module.text(lists[0])[1:-1]
    return Draft(loop.module).replace(lists[0], f"({inner})")


# ---------------------------------------------------------------- recursion, reverse mode


def recursion(site: FixSite) -> Drafts:
    """A function that ends in a cond with itself in one branch becomes a while_loop."""
    node, module = site.node, site.module
    if module is None or not isinstance(node, ast.Call) or len(node.args) < 3:
        return
    function, statement = module.function(node), module.parents.get(node)
    test, then, other, *operands = node.args
    is_only = isinstance(function, ast.FunctionDef) and [
        s for s in function.body if not isinstance(s, ast.Expr)
    ] == [statement]
    if not is_only or not isinstance(function, ast.FunctionDef):
        return
    if not isinstance(then, ast.Lambda) or not isinstance(other, ast.Lambda):
        return
    names = [getattr(operand, "id", None) for operand in operands]
    if any([a.arg for a in parameters(branch)] != names for branch in (then, other)):
        return
    if _calls(then.body, function.name):
        yield _as_loop(module, function, node, (test, other.body, then.body, False))
    elif _calls(other.body, function.name):
        yield _as_loop(module, function, node, (test, then.body, other.body, True))


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _as_loop(
    module: Module,
    function: ast.FunctionDef,
    node: ast.Call,
    parts: tuple[ast.expr, ast.expr, ast.expr, bool],
) -> Draft | None:
    test, result, again, is_negated = parts
    names = [a.arg for a in parameters(function)]
    draft, statement = Draft(module), module.statement(node)
    condition = negated(draft, test) if is_negated else truth(draft, test)
    given = again.args if isinstance(again, ast.Call) else []
    if statement is None or condition is None or len(given) != len(names):
        return None
    if any(isinstance(a, ast.Starred) for a in given):
        return None
    indent, listed = indent_of(module, statement), ", ".join(names)
    keep, step = fresh_name(module, "keep_going"), fresh_name(module, "one_round")
    is_one = len(names) == 1
    state = names[0] if is_one else fresh_name(module, "state", "carry")
    apart = [] if is_one else [f"    {listed} = {state}"]
    new = ", ".join(module.text(a) for a in given)
    start = listed if is_one else f"({listed})"
    lines = [
        f"def {keep}({state}):",
        *apart,
        f"    return {condition}",
        "",
        f"def {step}({state}):",
        *apart,
        f"    return {new}",
        "",
        f"{listed} = {draft.name('jax.lax.while_loop')}({keep}, {step}, {start})",
        f"return {module.text(result)}",
    ]
    text = "\n".join(indent + line if line else "" for line in lines)
    return draft.replace(statement, text.lstrip())


def reverse_mode(site: FixSite) -> Drafts:
    """The gradient is taken in forward mode, or the loop's bound is made static."""
    context = site.context
    if context is None:
        return
    node = site.node
    if isinstance(node, ast.Call):
        bound = argument(node, 1, "upper")
        for name in sorted(names_in(bound)) if bound is not None else ():
            yield make_static(site, name)
    grads = [a for m in context.modules.values() for a in applied(m) if a.kind == "grad"]
    for item in grads:
        draft = Draft(item.module)
        bare = item.call.func if item.call is not None else item.node
        yield draft.replace(bare, draft.name("jax.jacfwd"))


FIXERS: dict[str, Fixer] = {
    "scan-body-not-pair": body_pair,
    "missing-return": missing_return,
    "scan-carry-dtype-change": carry_dtype,
    "scan-carry-weak-type": carry_dtype,
    "scan-carry-shape-change": carry_shape,
    "fori-carry-shape-change": carry_shape,
    "scan-over-python-list": scan_list,
    "fori-body-args-swapped": swap_arguments,
    "while-cond-not-scalar-bool": scalar_condition,
    "cond-branch-dtype-mismatch": branch_dtype,
    "cond-branch-structure-mismatch": branch_structure,
    "recursion-under-trace": recursion,
    "reverse-mode-through-while": reverse_mode,
}
