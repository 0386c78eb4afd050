"""Fixes scan, loops and cond: bodies, carries, conditions and branches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import singledispatch

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.control_flow.field_numbers import FieldNumber, other_number
from jaxtutor.core.diagnosis.families.control_flow.match import (
    LOOPS,
    CarryMismatch,
    DifferentiatedLoop,
    InLoop,
    MissingReturn,
    ScannedList,
    leaf_at,
    whole_carry,
)
from jaxtutor.core.diagnosis.reading import argument, bound_value, is_number, parameters, result_of
from jaxtutor.core.diagnosis.rewriting.conditions import negated, truth
from jaxtutor.core.diagnosis.rewriting.expressions import atom, fresh_name, indent_of
from jaxtutor.core.diagnosis.rewriting.static_arguments import make_static
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, Drafts, Finding
from jaxtutor.core.diagnosis.source import FunctionNode, Module, bound_names, names_in, own_nodes
from jaxtutor.core.diagnosis.transforms import AppliedTransform, applied, every, same_call

# ---------------------------------------------------------------- what a body returns


def return_pair(found: InLoop) -> Drafts:
    """Return the carry and an output from the body of a scan."""
    loop, body = found.loop, found.function
    value = result_of(body) if body is not None else None
    if loop is None or value is None:
        return
    module, text = loop.module, loop.module.text(value)
    grouped = _grouped(loop, value)
    if grouped is not None:
        yield Draft(module).replace(value, grouped)
        return
    carry = f"({text})" if isinstance(value, ast.Tuple) and text[:1] != "(" else text
    for extra in _outputs(loop, atom(module, value) if isinstance(value, ast.Tuple) else text):
        pair = f"{carry}, {extra}"
        text = f"({pair})" if isinstance(body, ast.Lambda) else pair
        draft = Draft(module).replace(value, text)
        yield draft.certain() if extra == "None" and not _is_output_read(loop) else draft


def return_carry(found: InLoop) -> Drafts:
    """Add the output that a scan's body lacks; drop the one that another loop does not take."""
    if found.form == "pair":
        yield from return_pair(found)
    value = result_of(found.function) if found.function is not None else None
    if found.form == "part" and isinstance(value, ast.Tuple) and found.loop is not None:
        yield Draft(found.loop.module).certain().replace(value.elts[0], whole_carry(found))
    if found.form == "alone" and isinstance(value, ast.Tuple) and found.loop is not None:
        module = found.loop.module
        yield Draft(module).replace(value, module.text(value.elts[0]))
    elif isinstance(value, ast.Name) and found.loop is not None:
        yield _whole_state(found.loop, value)


def _whole_state(loop: AppliedTransform, value: ast.Name) -> Draft | None:
    """Return all parts of a state that the body unpacked, and not one of them alone."""
    module, function = loop.module, loop.module.function(value)
    given = {a.arg for a in parameters(function)}
    for node in own_nodes(function) if function is not None else ():
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=name)) if (
                name in given and value.id in {getattr(part, "id", "") for part in parts}
            ):
                text = ", ".join(module.text(part) for part in parts)
                whole = f"({text}), None" if loop.kind == "scan" else text
                return Draft(module).replace(value, whole)
    return None


def _grouped(loop: AppliedTransform, value: ast.expr) -> str | None:
    """Write `a, b, y` for a carry of two as `(a, b), y`."""
    init = argument(loop.call, 1, "init") if loop.call is not None else None
    start = bound_value(loop.module, init) if init is not None else None
    if not isinstance(value, ast.Tuple) or not isinstance(start, ast.Tuple):
        return None
    if len(value.elts) != len(start.elts) + 1:
        return None
    texts = [loop.module.text(item) for item in value.elts]
    return f"({', '.join(texts[:-1])}), {texts[-1]}"


def _outputs(loop: AppliedTransform, carry: str) -> list[str]:
    """List what a scan may output: nothing where its caller drops it, else the carry."""
    parent = loop.module.parents.get(loop.node)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    second = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else None
    is_used = isinstance(second, ast.Name) and not second.id.startswith("_")
    return [carry, "None"] if is_used else ["None", carry]


def _is_output_read(loop: AppliedTransform) -> bool:
    """Return whether the caller of a scan may read its second result."""
    match loop.module.parents.get(loop.node):
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id=name)])]):
            return name != "_"
        case ast.Subscript(slice=ast.Constant(value=0)) | ast.Expr():
            return False
    return True


def return_new_state(found: Finding) -> Drafts:
    """Return what the body computed as the next state: its output, else what it bound last."""
    node, module = found.node, found.module
    function = module.function(node)
    value = result_of(function) if function is not None else None
    if function is None or not isinstance(node, ast.expr):
        return
    if isinstance(value, ast.Tuple) and node in value.elts:
        yield Draft(module).replace(node, module.text(value.elts[1]))
        return
    made = [n for n in own_nodes(function) if isinstance(n, ast.Assign)]
    for name in bound_names(made[-1]) if made else ():
        yield Draft(module).replace(node, name)


def add_return(found: MissingReturn) -> Drafts:
    """Return what the function computes."""
    if isinstance(found.function, ast.FunctionDef):
        yield from _add_return(found.module, found.function)


def add_return_of_finding(found: Finding) -> Drafts:
    """Return what the function around the finding computes."""
    node = found.node
    function = node if isinstance(node, ast.FunctionDef) else found.module.function(node)
    if isinstance(function, ast.FunctionDef):
        yield from _add_return(found.module, function)


def _add_return(module: Module, function: ast.FunctionDef) -> Drafts:
    result = _result(module, function)
    if result is None:
        return
    last = function.body[-1]
    loop = next((a for a in applied(module) if a.function is function and a.kind in LOOPS), None)
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


def cast_weak_carry(found: CarryMismatch) -> Drafts:
    """Cast every number of the initial carry to the dtype that the body returns."""
    if found.loop is not None and found.made is not None:
        yield _cast_numbers(found.loop.module, found.made, _dtype(found.after))
    yield from cast_carry(found)


def cast_carry(found: CarryMismatch) -> Drafts:
    """Cast the initial carry to the dtype that the body returns: the leaf, then every number."""
    if found.loop is None or found.made is None:
        return
    for path in found.leaves:
        leaf, rest = leaf_at(found.made, path)
        draft = Draft(found.loop.module)
        if not rest and _cast(draft, leaf, _dtype(found.after)):
            yield draft
    yield _cast_numbers(found.loop.module, found.made, _dtype(found.after))


def _dtype(written: str) -> str:
    return written.partition("[")[0]


def _dims(written: str) -> str:
    return written.partition("[")[2].partition("]")[0]


def _cast_numbers(module: Module, init: ast.expr, dtype: str) -> Draft | None:
    """Cast every number of an initial carry to a dtype."""
    draft = Draft(module)
    numbers = [n for n in ast.walk(init) if isinstance(n, ast.expr) and is_number(n)]
    for number in numbers:
        if not _is_argument(module, number):
            _cast(draft, number, dtype)
    return draft if numbers else None


def _is_argument(module: Module, node: ast.AST) -> bool:
    """Return whether a number is a size or an index and not a part of a carry."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.UnaryOp):
        return True
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mult) and parent.right is node
    return isinstance(parent, ast.Call | ast.keyword | ast.Subscript)


_DTYPE_POSITIONS = {"zeros": 1, "ones": 1, "full": 2, "array": 1, "asarray": 1, "empty": 1}


def _cast(draft: Draft, leaf: ast.expr, dtype: str) -> bool:
    """Cast a leaf to another dtype where it is created."""
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


def shape_carry(found: CarryMismatch) -> Drafts:
    """Give a scalar initial state the shape that the body returns, or return one element."""
    yield from _element_of_slice(found)
    if found.loop is None or found.made is None or _dims(found.before) not in ("", "1"):
        return
    for path in found.leaves:
        leaf, rest = leaf_at(found.made, path)
        for shape in _shapes(found.frame, _dims(found.after)) if not rest else ():
            yield _shaped(Draft(found.loop.module), leaf, shape)


def _element_of_slice(found: CarryMismatch) -> Drafts:
    """Return one element, `keys[2]`, where the body returns the slice `keys[2:]` that holds it."""
    result = result_of(found.function) if found.function is not None else None
    if found.form != "axis" or found.loop is None or len(found.leaves) != 1 or result is None:
        return
    if found.loop.kind == "scan" and isinstance(result, ast.Tuple) and result.elts:
        result = result.elts[0]
    leaf, rest = leaf_at(result, found.leaves[0])
    part = leaf.slice if isinstance(leaf, ast.Subscript) and not rest else None
    if isinstance(part, ast.Slice) and part.lower is not None and part.upper is part.step is None:
        module = found.loop.module
        yield Draft(module).certain().replace(part, module.text(part.lower))


def _shaped(draft: Draft, leaf: ast.expr, shape: str) -> Draft | None:
    text = draft.module.text(leaf)
    if is_number(leaf) and float(ast.literal_eval(leaf)) == 0:
        return draft.replace(leaf, f"{draft.name('jax.numpy.zeros')}({shape})")
    if isinstance(leaf, ast.Constant | ast.UnaryOp | ast.Name | ast.Call):
        return draft.replace(leaf, f"{draft.name('jax.numpy.full')}({shape}, {text})")
    return None


def _shapes(frame: FrameContext, dims: str) -> Iterator[str]:
    """Write a shape by the array that has it, else by its numbers."""
    for name, fact in frame.names.items():
        own = re.search(r"\[(.*)\]", fact.detail)
        if fact.kind not in ("tracer", "array", "ndarray") or own is None or not dims:
            continue
        if own[1] == dims:
            yield f"{name}.shape"
        elif own[1].endswith("," + dims):
            yield f"{name}.shape[{own[1].count(',') - dims.count(',')}:]"
    if dims and all(part.isdigit() for part in dims.split(",")):
        yield f"({dims},)" if "," not in dims else f"({dims.replace(',', ', ')})"


def stack_list(found: ScannedList) -> Drafts:
    """Make one array of a list of arrays to scan over, or one tree of a list of trees."""
    module = found.module
    text = module.text(found.given)
    draft = Draft(module)
    yield draft.replace(found.given, f"{draft.name('jax.numpy.stack')}({text})").certain()
    draft = Draft(module)
    stack, tree = draft.name("jax.numpy.stack"), draft.name("jax.tree.map")
    draft.replace(found.given, f"{tree}(lambda *leaves: {stack}(leaves), *{text})")
    yield draft.certain()


# ---------------------------------------------------------------- bodies and conditions


def swap_parameters(found: InLoop) -> Drafts:
    """Let the body of a fori_loop take the index first."""
    if found.loop is None or found.function is None or len(found.function.args.args) != 2:
        return
    first, second = found.function.args.args
    module = found.loop.module
    draft = Draft(module).certain().replace(first, module.text(second))
    yield draft.replace(second, module.text(first))


def state_for_counter(found: InLoop) -> Drafts:
    """Put the state where the counter stands: in the body of a fori_loop, or in a scan's call."""
    call = found.loop.call if found.loop is not None else None
    if found.loop is None or call is None:
        return
    if found.loop.kind == "fori_loop":
        yield from swap_parameters(found)
        return
    init, xs = argument(call, 1, "init"), argument(call, 2, "xs")
    if init is not None and xs is not None:
        module = found.loop.module
        yield Draft(module).replace(init, module.text(xs)).replace(xs, module.text(init))


def functions_of_piecewise(found: AtCall) -> Drafts:
    """Turn the pieces into functions of the array."""
    given, pieces = argument(found.node, 0, "x"), argument(found.node, 2, "funclist")
    if not isinstance(given, ast.Name) or not isinstance(pieces, ast.List | ast.Tuple):
        return
    draft = Draft(found.module)
    for piece in pieces.elts:
        if not isinstance(piece, ast.Lambda | ast.Constant):
            draft.before(piece, f"lambda {given.id}: ")
    yield draft


def scalar_condition(found: InLoop) -> Drafts:
    """Make the condition of a while_loop one boolean."""
    value = result_of(found.function) if found.function is not None else None
    if found.loop is None or value is None:
        return
    module, text = found.loop.module, found.loop.module.text(value)
    said = found.context.message
    is_numeric = "bool[]" not in said and re.search(r"(?:int|float)\d+\[\]", said)
    if isinstance(value, ast.Tuple):
        parts = [atom(module, item) for item in value.elts]
        yield Draft(module).replace(value, " & ".join(parts))
    elif is_numeric:
        yield Draft(module).replace(value, f"{atom(module, value)} != 0")
    else:
        for name in ("any", "all"):
            draft = Draft(module)
            yield draft.replace(value, f"{draft.name('jax.numpy.' + name)}({text})")


@singledispatch
def same_dtype(_: AtFrame) -> Drafts:
    """Let the branches of a cond or switch return the same dtype."""
    return ()


@same_dtype.register
def _same_results(found: InLoop) -> Drafts:
    loop = found.loop
    if loop is None:
        return
    values = [(f, value) for f in same_call(loop) if (value := result_of(f)) is not None]
    for function, value in values:
        if _is_whole(value):
            yield Draft(loop.module).after(value, ".0")
        if is_number(value):
            yield _like_operand(loop, function, value)
    types = re.findall(r"(\w+?)\[[\d,]*\]", found.context.message)
    floats = [t for t in types if t.startswith(("float", "bfloat"))]
    for _, value in values:
        if floats and not isinstance(value, ast.Tuple):
            draft = Draft(loop.module)
            wanted = draft.name(f"jax.numpy.{floats[0]}")
            yield draft.wrap(value, f"{draft.name('jax.numpy.asarray')}(", f", {wanted})")


same_dtype.register(FieldNumber, other_number)


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


def same_structure(found: InLoop) -> Drafts:
    """Let a branch that returns nothing return its operand."""
    loop = found.loop
    if loop is None:
        return
    functions = same_call(loop)
    for function in functions:
        names = [a.arg for a in parameters(function)]
        given = names[0] if len(names) == 1 else f"({', '.join(names)})"
        value = result_of(function)
        if names and isinstance(value, ast.Constant) and value.value is None:
            yield Draft(loop.module).replace(value, given)
    yield _list_to_tuple(loop, functions)


def _list_to_tuple(loop: AppliedTransform, functions: list[FunctionNode]) -> Draft | None:
    values = [result_of(f) for f in functions]
    lists = [v for v in values if isinstance(v, ast.List)]
    if len(lists) != 1 or not any(isinstance(v, ast.Tuple) for v in values):
        return None
    inner = loop.module.text(lists[0])[1:-1]
    return Draft(loop.module).replace(lists[0], f"({inner})")


# ---------------------------------------------------------------- recursion, reverse mode


def loop_for_recursion(found: AtCall) -> Drafts:
    """Write a function that ends in a cond with itself in one branch as a while_loop."""
    node, module = found.node, found.module
    if len(node.args) < 3:
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


def forward_mode(found: DifferentiatedLoop) -> Drafts:
    """Make the loop's bound static, or take the gradient in forward mode."""
    node = found.loop_call
    bound = argument(node, 1, "upper") if isinstance(node, ast.Call) else None
    for name in sorted(names_in(bound)) if bound is not None else ():
        yield make_static(found.context, name)
    for item in every(found.context, "grad"):
        draft = Draft(item.module)
        bare = item.call.func if item.call is not None else item.node
        yield draft.replace(bare, draft.name("jax.jacfwd"))
