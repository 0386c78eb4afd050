"""Matches and fixes results whose size depends on the data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.tracing.demands import DATA_SIZED, StaticDemand, static_demand
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, atom
from jaxtutor.core.diagnosis.editing.static_arguments import static_source
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.calls import is_call_of, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites
from jaxtutor.core.diagnosis.reading.values import is_zero

_PLACES = ("where", "nonzero", "flatnonzero", "argwhere")
_COUNTED = {
    "bincount": "length",
    "segment_sum": "num_segments",
    "segment_max": "num_segments",
    "segment_min": "num_segments",
    "segment_prod": "num_segments",
}


def static_size_missing(context: FailureContext) -> StaticDemand | None:
    """The size of the result depends on the data, and no size was given."""
    demand = static_demand(context)
    if demand is None or demand.name not in DATA_SIZED:
        return None
    if demand.given(None, (DATA_SIZED[demand.name],)) is not None:
        return None
    given = len(demand.node.args) + len(demand.node.keywords)
    is_choice = demand.name == "where" and given > 1
    if is_choice:
        return None
    facts = {"name": demand.name}
    if _is_of_known_array(demand):
        known = demand.frame.module.text(demand.node.args[0])
        facts |= {"argument": known, "instead": f"np.{demand.name}"}
        return replace(demand, facts=facts, form="known")
    form = "sparse" if demand.name.endswith("fromdense") else ""
    return replace(demand, facts=facts, form=form)


def _is_of_known_array(demand: StaticDemand) -> bool:
    """Return whether a function of `jax.numpy` that NumPy has too gets arrays with values only."""
    arguments, frame = demand.node.args, demand.frame
    is_numpys = demand.path == f"jax.numpy.{demand.name}" and demand.name in _OF_NUMPY
    is_known = any(frame.kind(n) in _KNOWN for a in arguments for n in ast.walk(a))
    return is_numpys and is_known and not any(map(frame.is_traced, arguments))


_KNOWN = ("ndarray", "array")
_OF_NUMPY = (*_PLACES, "unique", "union1d", "setdiff1d", "bincount")


def give_size(found: StaticDemand) -> Drafts:
    """Give a size to a result whose size depends on the data."""
    frame, call, module = found.frame, found.node, found.module
    name = last_part(frame.callee(call))
    if found.form == "known":
        draft = Draft(module)
        yield draft.replace(call.func, draft.name(f"numpy.{name}")).certain()
        return
    if name in _PLACES and _uses_first_only(frame, call):
        yield _argmax(frame, call)
        yield add_argument(Draft(module), call, "size=1")
    if name == "bincount" and (least := keyword_of(call, "minlength")) is not None:
        yield Draft(module).data_bound().replace(least, f"length={module.text(least.value)}")
    for count in _bin_counts(frame, call) if name in _COUNTED else ():
        yield add_argument(Draft(module).data_bound(), call, f"{_COUNTED[name]}={count}")
    if found.form == "sparse" and call.args and path_of(call.args[0]) is not None:
        most = f"nse={module.text(call.args[0])}.size"
        yield add_argument(Draft(module).certain(), call, most)
    size = _most(frame, call)
    if name in (*_PLACES, "unique") and size is not None:
        yield _count_draft(frame, call)
        if _fills_are_dropped(frame, call, size):
            yield add_argument(Draft(module), call, f"size={size}, fill_value={size}")
        else:  # what fills up the result is read like a hit, and is right by chance
            yield add_argument(Draft(module).data_bound(), call, f"size={size}")
    yield from static_source(found)


def _bin_counts(frame: FrameContext, call: ast.Call) -> Iterator[str]:
    """Write what may be the number of bins: a number in sight, the size of another array."""
    given = {n.id for a in call.args for n in ast.walk(a) if isinstance(n, ast.Name)}
    module = frame.module
    reads = own_nodes(frame.function) if frame.function is not None else ()
    names = dict.fromkeys(n.id for n in reads if isinstance(n, ast.Name))
    for name in names:
        fact = frame.fact(name)
        if fact is not None and fact.kind == "number" and name not in given:
            yield name
    for name in [*(parameter_names(frame.function)), *names]:
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
        return is_zero(outer.slice)
    if not isinstance(outer, ast.Assign) or not isinstance(outer.targets[0], ast.Name):
        return False
    used = _later_loads(module, outer, outer.targets[0].id)
    parents = [module.parents.get(n) for n in used]
    return bool(used) and all(isinstance(p, ast.Subscript) and is_zero(p.slice) for p in parents)


def _later_loads(module: Module, statement: ast.stmt, name: str) -> list[ast.Name]:
    sites = load_sites(module.scope(statement), name)
    return [site for site in sites if site.lineno >= statement.lineno]


def _fills_are_dropped(frame: FrameContext, call: ast.Call, size: str) -> bool:
    """Return whether the places found are only written to, in the array that gives the size.

    A write past the end is dropped, but a read there returns the last element.
    """
    if last_part(frame.callee(call)) not in ("where", "nonzero", "flatnonzero"):
        return False
    if _dimensions(frame, call.args[0]) is None:
        return False  # there may be more hits than the array has elements
    module, node = frame.module, _places_of(frame.module, call)
    outer = module.parents.get(node)
    if not isinstance(outer, ast.Assign) or len(outer.targets) != 1:
        return _is_write(module, node, size)
    target = outer.targets[0]
    if isinstance(target, ast.Tuple) and len(target.elts) == 1:
        target = target.elts[0]
    if not isinstance(target, ast.Name):
        return False
    reads = _later_loads(module, outer, target.id)
    return bool(reads) and all(_is_write(module, read, size) for read in reads)


def _places_of(module: Module, call: ast.Call) -> ast.AST:
    """Return the places that a call found: its result, or the first array in it."""
    taken = module.parents.get(call)
    is_first = isinstance(taken, ast.Subscript) and taken.value is call and is_zero(taken.slice)
    return taken if is_first and taken is not None else call


def _is_write(module: Module, index: ast.AST, size: str) -> bool:
    """Return whether an index is that of `x.at[index].set(0.0)`, where `size` is `x.size`.

    The value written is a number: an array would have to have as many elements as the index.
    """
    match module.parents.get(index):
        case ast.Subscript(value=ast.Attribute(value=array, attr="at"), slice=place) as item:
            method = module.parents.get(item)
        case _:
            return False
    written = module.parents.get(method) if method is not None else None
    if place is not index or f"{module.text(array)}.size" != size:
        return False
    if _is_rebound(module, index, array):
        return False
    match method, written:
        case ast.Attribute(attr="set" | "add" | "multiply" | "min" | "max"), ast.Call(
            args=[value], keywords=[]
        ):
            return not any(isinstance(n, ast.Name | ast.Attribute) for n in ast.walk(value))
    return False


def _argmax(frame: FrameContext, call: ast.Call) -> Draft | None:
    """`where(c)[0][0]` is the place of the first True: `argmax(c)`."""
    module, draft = frame.module, Draft(frame.module)
    first = module.parents.get(call)
    if not isinstance(first, ast.Subscript) or len(call.args) != 1:
        return None
    name = last_part(frame.callee(call))
    is_line = _dimensions(frame, call.args[0]) == 1
    if not is_line and name != "flatnonzero":
        return None  # argmax counts along all axes, the places of hits along one
    mask = module.text(call.args[0])
    mask = mask if _is_boolean(frame, call.args[0]) else f"{atom(module, call.args[0])} != 0"
    text = f"{draft.name('jax.numpy.argmax')}({mask})"
    outer = module.parents.get(first)
    if isinstance(outer, ast.Subscript):
        return draft.replace(outer, text)
    if not isinstance(outer, ast.Assign) or not isinstance(outer.targets[0], ast.Name):
        return None
    draft.replace(first, text)
    for read in _later_loads(module, outer, outer.targets[0].id):
        item = module.parents[read]
        draft.replace(item, read.id)
    return draft


def _is_rebound(module: Module, index: ast.AST, array: ast.expr) -> bool:
    """Return whether a name is bound in its function, except by the statement with the index."""
    written = next((n for n in module.ancestors(index) if isinstance(n, ast.stmt)), None)
    if not isinstance(array, ast.Name) or written is None:
        return True
    within = set(ast.walk(written))
    return any(
        isinstance(n, ast.Name) and n.id == array.id and isinstance(n.ctx, ast.Store)
        for n in ast.walk(module.scope(written))
        if n not in within
    )


def _dimensions(frame: FrameContext, mask: ast.expr) -> int | None:
    """Return how many axes a mask has that compares one array with numbers; None for others."""
    sized: set[str] = set()
    for node in _condition_operands(mask):
        fact = frame.fact(node)
        is_array = fact is not None and fact.kind in ("tracer", "array", "ndarray")
        if isinstance(node, ast.Constant) or (fact is not None and fact.kind == "number"):
            continue
        if fact is None or not is_array or "[" not in fact.detail:
            return None
        if not fact.detail.endswith("[]"):
            sized.add(fact.detail[fact.detail.index("[") :])
    return len(sized.pop().split(",")) if len(sized) == 1 else None


def _condition_operands(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression of operators is made of."""
    match node:
        case ast.Compare(left=left, comparators=others):
            for operand in (left, *others):
                yield from _condition_operands(operand)
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, ast.MatMult):
            yield from _condition_operands(left)
            yield from _condition_operands(right)
        case ast.UnaryOp(operand=operand):
            yield from _condition_operands(operand)
        case ast.Call(
            func=ast.Attribute(attr="abs" | "isnan" | "isfinite" | "isinf"),
            args=[operand],
            keywords=[],
        ):
            yield from _condition_operands(operand)
        case _:
            yield node


def _is_boolean(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression has truth values, as far as its operators show."""
    match node:
        case ast.Compare():
            return True
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_boolean(frame, operand)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
            return _is_boolean(frame, left) and _is_boolean(frame, right)
    fact = frame.fact(node)
    return fact is not None and fact.detail.startswith("bool[")


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


def _count_draft(frame: FrameContext, call: ast.Call) -> Draft | None:
    """`where(c)[0].size` is how often c is true: `c.sum()`."""
    module = frame.module
    name = last_part(frame.callee(call))
    node = _places_of(module, call)
    outer = module.parents.get(node)
    if name == "unique" or (name in ("where", "nonzero")) == (node is call):
        return None  # not the places of hits, or the number of axes
    is_size = isinstance(outer, ast.Attribute) and outer.attr == "size"
    is_length = is_call_of(outer, "len")
    is_row = _is_shape_row(module, outer)
    if name == "argwhere" and is_size:
        return None
    if not (is_size or is_length or is_row) or len(call.args) != 1 or outer is None:
        return None
    draft = Draft(module)
    place = module.parents[outer] if is_row else outer
    count = "sum" if _is_boolean(frame, call.args[0]) else "count_nonzero"
    counted = draft.name(f"jax.numpy.{count}")
    return draft.replace(place, f"{counted}({module.text(call.args[0])})")


def _is_shape_row(module: Module, node: ast.AST | None) -> bool:
    """Return whether a node is the `.shape` of `.shape[0]`."""
    outer = module.parents.get(node) if node is not None else None
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return is_shape and isinstance(outer, ast.Subscript) and is_zero(outer.slice)


RULES = (Rule("missing-static-size", raised(static_size_missing), give_size),)
