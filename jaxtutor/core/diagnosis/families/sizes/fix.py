"""Fixes sizes, bounds and slices that have to be static and are not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.sizes.match import StaticDemand
from jaxtutor.core.diagnosis.reading import argument, bound_value, is_number, keyword_of, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument, atom
from jaxtutor.core.diagnosis.rewriting.loops import for_to_fori
from jaxtutor.core.diagnosis.rewriting.masks import prefix
from jaxtutor.core.diagnosis.rewriting.static_arguments import make_static_at_call, static_source
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, AtNode, Drafts
from jaxtutor.core.diagnosis.source import Module, own_nodes, path_of

# ---------------------------------------------------------------- bounds and counts


def static_count(found: AtCall) -> Drafts:
    """Make the n of a loop over range(n) static, or write the loop as a fori_loop."""
    yield from static_source(found)
    loop = found.module.parents.get(found.node)
    if isinstance(loop, ast.For):
        yield for_to_fori(found.module, loop)


def shifted_range(found: StaticDemand) -> Drafts:
    """Write arange(a, a + 5) as a + arange(5); else make its bound static."""
    module, call = found.module, found.node
    start, stop = argument(call, 0, "start"), argument(call, 1, "stop")
    if start is not None and stop is not None and len(call.args) == 2:
        width = _width(found.frame, start, stop)
        text = f"{atom(module, start)} + {module.text(call.func)}({width})"
        alone = isinstance(module.parents.get(call), ast.Assign | ast.Return | ast.Call)
        if width is not None:
            yield Draft(module).replace(call, text if alone else f"({text})")
    yield from static_source(found)


def _width(frame: FrameContext, start: ast.expr, stop: ast.expr) -> str | None:
    """Write the static distance of two bounds, where it can be seen."""
    module = frame.module
    start, stop = (_plain_value(module, bound) for bound in (start, stop))
    first, last = ast.dump(start), ast.dump(stop)
    match stop:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for same, width in ((left, right), (right, left)):
                is_start = ast.dump(same) == first or ast.dump(_plain_value(module, same)) == first
                if is_start and not frame.is_traced(width):
                    return module.text(width)
    match start:
        case ast.BinOp(left=left, op=ast.Sub(), right=width):
            is_stop = ast.dump(left) == last or ast.dump(_plain_value(module, left)) == last
            if is_stop and not frame.is_traced(width):
                return module.text(width)
    return _block_width(module, frame, start, stop)


def _plain_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to a sum or difference; a parameter or anything else stays itself."""
    value = bound_value(module, node)
    return value if isinstance(value, ast.BinOp) else node


def _block_width(
    module: Module, frame: FrameContext, start: ast.expr, stop: ast.expr
) -> str | None:
    """Read `i * w` and `(i + 1) * w` as a block of width w."""
    match start, stop:
        case (
            ast.BinOp(left=one, op=ast.Mult(), right=width),
            ast.BinOp(
                left=ast.BinOp(left=same, op=ast.Add(), right=ast.Constant(value=1)),
                op=ast.Mult(),
                right=again,
            ),
        ) if ast.dump(one) == ast.dump(same) and ast.dump(width) == ast.dump(again):
            return None if frame.is_traced(width) else module.text(width)
    return None


def classes_of_scores(found: StaticDemand) -> Drafts:
    """Read the number of classes from the shape of the scores that they belong to."""
    call = found.node
    count = argument(call, 1, "num_classes", "length", "num_segments") or argument(call, 0)
    for name, fact in found.frame.names.items():
        is_scores = fact.kind == "tracer" and fact.detail.startswith(("float", "bfloat"))
        if count is not None and is_scores and "," in fact.detail and name.isidentifier():
            yield Draft(found.module).replace(count, f"{name}.shape[-1]")
    yield from static_source(found)


_PLACES = ("where", "nonzero", "flatnonzero", "argwhere")


def give_size(found: StaticDemand) -> Drafts:
    """Give a size to a result whose size depends on the data."""
    frame, call, module = found.frame, found.node, found.module
    name = (frame.callee(call) or "").rpartition(".")[2]
    if name in _PLACES and _uses_first_only(frame, call):
        yield _argmax(frame, call)
        yield add_argument(Draft(module), call, "size=1")
    if name == "bincount" and (least := keyword_of(call, "minlength")) is not None:
        yield Draft(module).replace(least, f"length={module.text(least.value)}")
    for count in _counts(frame, call) if name in _COUNTED else ():
        yield add_argument(Draft(module), call, f"{_COUNTED[name]}={count}")
    if found.form == "sparse" and call.args and path_of(call.args[0]) is not None:
        most = f"nse={module.text(call.args[0])}.size"
        yield add_argument(Draft(module).certain(), call, most)
    size = _most(frame, call)
    if name in (*_PLACES, "unique") and size is not None:
        yield _counted(frame, call)
        yield add_argument(Draft(module), call, f"size={size}")
    yield from static_source(found)


_COUNTED = {
    "bincount": "length",
    "segment_sum": "num_segments",
    "segment_max": "num_segments",
    "segment_min": "num_segments",
    "segment_prod": "num_segments",
}


def _counts(frame: FrameContext, call: ast.Call) -> Iterator[str]:
    """Write what may be the number of bins: a number in sight, the size of another array."""
    given = {n.id for a in call.args for n in ast.walk(a) if isinstance(n, ast.Name)}
    module = frame.module
    reads = own_nodes(frame.function) if frame.function is not None else ()
    names = dict.fromkeys(n.id for n in reads if isinstance(n, ast.Name))
    for name in names:
        fact = frame.fact(name)
        if fact is not None and fact.kind == "number" and name not in given:
            yield name
    for name in [*(a.arg for a in parameters(frame.function)), *names]:
        fact = frame.fact(name)
        is_table = fact is not None and fact.kind in ("tracer", "array", "ndarray")
        if is_table and fact is not None and name not in given and not fact.detail.endswith("[]"):
            yield f"{name}.shape[0]"
    for statement in module.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int())):
                yield name


def _uses_first_only(frame: FrameContext, call: ast.Call) -> bool:
    """Return whether only the first of the places found is used."""
    module = frame.module
    taken = module.parents.get(call)
    outer = module.parents.get(taken) if isinstance(taken, ast.Subscript) else taken
    if isinstance(outer, ast.Subscript):
        return _is_zero(outer.slice)
    if not isinstance(outer, ast.Assign) or not isinstance(outer.targets[0], ast.Name):
        return False
    used = _reads(module, outer, outer.targets[0].id)
    parents = [module.parents.get(n) for n in used]
    return bool(used) and all(isinstance(p, ast.Subscript) and _is_zero(p.slice) for p in parents)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _reads(module: Module, statement: ast.stmt, name: str) -> list[ast.Name]:
    return [
        n
        for n in ast.walk(module.scope(statement))
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        if n.lineno >= statement.lineno
    ]


def _argmax(frame: FrameContext, call: ast.Call) -> Draft | None:
    """`where(c)[0][0]` is the place of the first True: `argmax(c)`."""
    module, draft = frame.module, Draft(frame.module)
    first = module.parents.get(call)
    if not isinstance(first, ast.Subscript) or len(call.args) != 1:
        return None
    text = f"{draft.name('jax.numpy.argmax')}({module.text(call.args[0])})"
    outer = module.parents.get(first)
    if isinstance(outer, ast.Subscript):
        return draft.replace(outer, text)
    if not isinstance(outer, ast.Assign) or not isinstance(outer.targets[0], ast.Name):
        return None
    draft.replace(first, text)
    for read in _reads(module, outer, outer.targets[0].id):
        item = module.parents[read]
        draft.replace(item, read.id)
    return draft


def _most(frame: FrameContext, call: ast.Call) -> str | None:
    """Write the largest size that a result can have: that of the array looked through."""
    names = [
        n
        for a in call.args[:1]
        for n in ast.walk(a)
        if isinstance(n, ast.Name | ast.Attribute) and frame.kind(n) == "tracer"
    ]
    sized = [n for n in names if (fact := frame.fact(n)) and not fact.detail.endswith("[]")]
    return f"{frame.module.text(sized[0])}.size" if sized else None


def _counted(frame: FrameContext, call: ast.Call) -> Draft | None:
    """`where(c)[0].size` is how often c is true: `c.sum()`."""
    module = frame.module
    node: ast.AST = call
    while isinstance(module.parents.get(node), ast.Subscript):
        node = module.parents[node]
    outer = module.parents.get(node)
    is_size = isinstance(outer, ast.Attribute) and outer.attr == "size"
    is_length = (
        isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id == "len"
    )
    is_row = _is_shape_row(module, outer)
    if not (is_size or is_length or is_row) or len(call.args) != 1 or outer is None:
        return None
    draft = Draft(module)
    place = module.parents[outer] if is_row else outer
    return draft.replace(place, f"{draft.name('jax.numpy.sum')}({module.text(call.args[0])})")


def _is_shape_row(module: Module, node: ast.AST | None) -> bool:
    """Return whether a node is the `.shape` of `.shape[0]`."""
    outer = module.parents.get(node) if node is not None else None
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return is_shape and isinstance(outer, ast.Subscript) and _is_zero(outer.slice)


# ---------------------------------------------------------------- static values made by jnp


def numpy_for_static(found: AtFrame) -> Drafts:
    """Call numpy on static values instead of jnp: in the first statement, then in all."""
    context = found.context
    steps = [s for s in context.failure.origin if s.span is not None and s.file is not None]
    for chosen in (steps[:1], steps):
        drafts: Draft | None = None
        seen: set[ast.AST] = set()
        for step in chosen:
            module = context.modules.get(step.file or "")
            node = module.node_at(step.span) if module is not None and step.span else None
            statement = module.statement(node) if module is not None and node is not None else None
            if module is None or statement is None or statement in seen:
                continue
            seen.add(statement)
            drafts = drafts or Draft(module)
            if drafts.module is module:
                _to_numpy(drafts, statement)
        yield drafts


def _to_numpy(draft: Draft, statement: ast.stmt) -> None:
    module = draft.module
    for node in ast.walk(statement):
        path = module.dotted(node.func) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or path is None or not path.startswith("jax.numpy."):
            continue
        name = path.rpartition(".")[2]
        is_needed = name in ("zeros", "ones", "eye", "full", "reshape", "tile", "arange")
        if not is_needed:
            draft.replace(node.func, draft.name(f"numpy.{name}"))


# ---------------------------------------------------------------- slices


def dynamic_slice(found: AtNode) -> Drafts:
    """Write a slice of a static width as a dynamic_slice."""
    frame, node = found.frame, found.node
    yield from _update_element(frame, node)
    yield from _update_slice(frame, node)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield _read_slice(frame, node)
    yield from static_source(found)
    if isinstance(node, ast.Subscript):
        yield prefix(frame, node)


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _read_slice(frame: FrameContext, node: ast.Subscript) -> Draft | None:
    module, draft = frame.module, Draft(frame.module)
    found = _window(frame, node)
    if found is None:
        return None
    base = module.text(node.value)
    axis, start, width = found
    if axis is not None:
        where = f", axis={axis}" if axis else ""
        name = draft.name("jax.lax.dynamic_slice_in_dim")
        return draft.replace(node, f"{name}({base}, {start}, {width}{where})")
    name = draft.name("jax.lax.dynamic_slice")
    return draft.replace(node, f"{name}({base}, ({start}), ({width}))")


def _window(frame: FrameContext, node: ast.Subscript) -> tuple[int | None, str, str] | None:
    """Read a slice as the start and width of one axis, or of all (axis None)."""
    base = frame.module.text(node.value)
    windows = [_one(frame, part, f"{base}.shape[{n}]") for n, part in enumerate(_parts(node.slice))]
    known = [w for w in windows if w is not None]
    if len(known) < len(windows):
        return None
    moving = [n for n, w in enumerate(known) if not w[2]]
    if len(moving) == 1:
        return moving[0], known[moving[0]][0], known[moving[0]][1]
    comma = "," if len(known) == 1 else ""
    return None, ", ".join(w[0] for w in known) + comma, ", ".join(w[1] for w in known) + comma


def _one(frame: FrameContext, part: ast.expr, whole: str) -> tuple[str, str, bool] | None:
    """Return the start and width of one axis, and whether it is all of it."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return None
    if part.lower is None and part.upper is None:
        return "0", whole, True
    if part.lower is None or part.upper is None:
        return None
    width = _width(frame, part.lower, part.upper)
    if width is None and is_number(part.lower) and is_number(part.upper):
        width = f"{frame.module.text(part.upper)} - {frame.module.text(part.lower)}"
    return (frame.module.text(part.lower), width, False) if width is not None else None


def _update_element(frame: FrameContext, node: ast.AST) -> Drafts:
    """Write `x.at[i : i + 1]` as `x.at[i]`."""
    call = _update_call(frame.module, node)
    subscript = call.func.value if call and isinstance(call.func, ast.Attribute) else None
    part = subscript.slice if isinstance(subscript, ast.Subscript) else None
    found = _one(frame, part, "") if part is not None else None
    if part is not None and found is not None and found[1] == "1":
        yield Draft(frame.module).replace(part, found[0])


def _update_slice(frame: FrameContext, node: ast.AST) -> Drafts:
    """Write `x.at[i:i + w].set(v)` as a dynamic update."""
    call = _update_call(frame.module, node)
    subscript = (
        call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    )
    if call is None or not isinstance(subscript, ast.Subscript):
        return
    at = subscript.value
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    found = _window(frame, subscript)
    if found is None or not isinstance(at, ast.Attribute) or len(call.args) != 1:
        return
    module, draft = frame.module, Draft(frame.module)
    axis, start, width = found
    base, value = module.text(at.value), module.text(call.args[0])
    if axis is None or method not in ("set", "add"):
        return
    if method == "add":
        read = (
            f"{draft.name('jax.lax.dynamic_slice_in_dim')}({base}, {start}, {width}, axis={axis})"
        )
        value = f"{read} + {value}"
    elif is_number(call.args[0]):
        value = f"{draft.name('jax.numpy.full')}({width}, {value}, {base}.dtype)"
    name = draft.name("jax.lax.dynamic_update_slice_in_dim")
    yield draft.replace(call, f"{name}({base}, {value}, {start}, axis={axis})")


def _update_call(module: Module, node: ast.AST) -> ast.Call | None:
    """Find the call of an `.at[...]` method at a node or around it."""
    for item in [node, *module.ancestors(node)]:
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
            subscript = item.func.value
            at = subscript.value if isinstance(subscript, ast.Subscript) else None
            if isinstance(at, ast.Attribute) and at.attr == "at":
                return item
        if isinstance(item, ast.stmt):
            return None
    return None


def static_setting(found: AtFrame) -> Drafts:
    """Make the argument that the value comes from static, also where the jit wraps a method."""
    yield from static_source(found)
    yield make_static_at_call(found.context)
