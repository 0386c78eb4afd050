"""Owns the mending of masks: an array picked or assigned by a mask, as a choice over all of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.values.fix import put_update
from jaxtutor.core.diagnosis.rewriting.expressions import atom, rewrite
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import FunctionNode, Module

_WHERE = frozenset({"sum", "mean", "std", "var", "prod", "all", "any", "nansum", "nanmean"})
_EXTREME = {"max": "-jnp.inf", "min": "jnp.inf", "amax": "-jnp.inf", "amin": "jnp.inf"}
_ZERO = {"norm": "0", "logsumexp": "-jnp.inf", "count_nonzero": "0"}
_MEDIAN = {"median": "nanmedian", "quantile": "nanquantile", "percentile": "nanpercentile"}


def _stores_masked(frame: FrameContext, node: ast.Subscript) -> bool:
    """Tell whether a value is picked to be assigned by the same mask."""
    target = _target(frame.module.statement(node))
    return isinstance(target, ast.Subscript) and ast.dump(target.slice) == ast.dump(node.slice)


class MaskedSelection:
    """The places in a function where arrays are picked by one mask."""

    def __init__(
        self, frame: FrameContext, first: ast.Subscript, function: FunctionNode, message: str
    ) -> None:
        self.frame = frame
        self.message = message
        self.module: Module = frame.module
        self.function = function
        self.mask = first.slice
        self.written = frame.module.text(first.slice)
        wanted = self._value_of(first.slice)
        self.subscripts = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Subscript)
            and isinstance(n.ctx, ast.Load)
            and self._value_of(n.slice) == wanted
        ]

    def _value_of(self, mask: ast.expr) -> str:
        return ast.dump(mask)

    def name_of(self, subscript: ast.Subscript) -> ast.Assign | None:
        """Give the statement that names what was picked, if it does no more."""
        parent = self.module.parents.get(subscript)
        is_plain = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)
        return parent if is_plain and isinstance(parent, ast.Assign) else None


def boolean_index(site: FixSite) -> Drafts:
    """What is picked by a mask and then reduced becomes a reduction with `where=`."""
    frame, node = site.frame, site.at
    if frame is None or frame.function is None:
        return
    if isinstance(node, ast.Call):
        yield _masked_update(frame, node)
    if not isinstance(node, ast.Subscript):
        return
    if _stores_masked(frame, node):
        yield from masked_assignment(site)
    picked = MaskedSelection(frame, node, frame.function, site.message)
    yield _reduce(picked)


def prefix(frame: FrameContext, node: ast.Subscript, draft: Draft) -> Draft | None:
    """`x[:n].sum()` becomes a reduction of all of x with a mask of its first n."""
    bounds = node.slice
    if frame.function is None or not isinstance(bounds, ast.Slice) or bounds.step is not None:
        return None
    places = f"{draft.name('jax.numpy.arange')}({frame.module.text(node.value)}.shape[0])"
    tests = []
    if bounds.lower is not None:
        tests.append(f"({places} >= {frame.module.text(bounds.lower)})")
    if bounds.upper is not None:
        tests.append(f"({places} < {frame.module.text(bounds.upper)})")
    picked = MaskedSelection(frame, node, frame.function, "")
    picked.written = " & ".join(tests) if len(tests) > 1 else tests[0][1:-1] if tests else ""
    return _reduce(picked) if tests else None


def _reduce(picked: MaskedSelection) -> Draft | None:
    module, draft = picked.module, Draft(picked.module)
    uses: list[tuple[ast.expr, str]] = []  # an expression that is picked, and the whole array
    mask = picked.written
    named = [(s, picked.name_of(s)) for s in picked.subscripts]
    shared = mask if isinstance(picked.mask, ast.Name) else None
    for subscript, statement in named:
        base = atom(module, subscript.value)
        if statement is None:
            uses.append((subscript, base))
            continue
        target = statement.targets[0]
        assert isinstance(target, ast.Name)
        reads = _reads(picked.function, target.id, statement.lineno)
        uses.extend((read, base) for read in reads)
        if shared is None:
            shared = target.id
            draft.replace(statement.value, mask)
        else:
            draft.drop(statement)
    return draft if _put_all(draft, picked, uses, shared or mask) else None


def _reads(function: FunctionNode, name: str, line: int) -> list[ast.expr]:
    found = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return [n for n in found if isinstance(n.ctx, ast.Load) and n.lineno > line]


def _put_all(
    draft: Draft, picked: MaskedSelection, uses: list[tuple[ast.expr, str]], mask: str
) -> bool:
    """Write every use of what was picked; False where one is neither reduced nor counted."""
    groups: dict[ast.Call, dict[ast.AST, str]] = {}
    for use, base in uses:
        counted = _count(picked.module, use)
        if counted is not None:
            draft.replace(counted, f"{_atomic(mask)}.sum()")
            continue
        reduction = _reduction(picked, use)
        if reduction is None:
            return False
        groups.setdefault(reduction, {})[use] = base
    return all(_put_reduction(draft, picked, call, parts, mask) for call, parts in groups.items())


def _atomic(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def _count(module: Module, use: ast.AST) -> ast.AST | None:
    """Find the expression that counts what was picked: `.size`, `len()`, `.shape[0]`."""
    outer = module.parents.get(use)
    if isinstance(outer, ast.Attribute) and outer.attr == "size":
        return outer
    if isinstance(outer, ast.Attribute) and outer.attr == "shape":
        return module.parents.get(outer)
    if isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id == "len":
        return outer
    return None


def _reduction(picked: MaskedSelection, use: ast.AST) -> ast.Call | None:
    """Find the nearest reduction around a use: a method's or a function's."""
    inner = use
    for outer in picked.module.ancestors(use):
        if isinstance(outer, ast.stmt):
            return None
        if isinstance(outer, ast.Call):
            name = _reduction_name(picked.frame, outer)
            held = outer.args[:1] if name is not None and not _is_method(picked, outer) else []
            if name is not None and (inner is outer.func or inner in held):
                return outer
        inner = outer
    return None


def _is_method(picked: MaskedSelection, call: ast.Call) -> bool:
    return picked.frame.callee(call) is None


def _reduction_name(frame: FrameContext, call: ast.Call) -> str | None:
    path = frame.callee(call)
    if path is not None and not path.startswith(("jax.", "numpy.")):
        return None
    name = call.func.attr if isinstance(call.func, ast.Attribute) else path or ""
    name = name.rpartition(".")[2]
    return name if name in {*_WHERE, *_EXTREME, *_MEDIAN, *_ZERO} else None


def _put_reduction(
    draft: Draft, picked: MaskedSelection, call: ast.Call, parts: dict[ast.AST, str], mask: str
) -> bool:
    module = picked.module
    name = _reduction_name(picked.frame, call) or ""
    is_method = _is_method(picked, call)
    mask = _widened(picked, mask)
    func = call.func
    inner = func.value if is_method and isinstance(func, ast.Attribute) else call.args[0]
    whole = rewrite(module, inner, parts)
    rest = [module.text(n) for n in (call.args if is_method else call.args[1:])]
    rest += [module.text(k) for k in call.keywords]
    if name in _WHERE:
        rest.append(f"where={mask}")
    else:
        fill = _EXTREME.get(name) or _ZERO.get(name) or "jnp.nan"
        fill = fill.replace("jnp.", draft.name("jax.numpy.inf")[:-3])
        whole = f"{draft.name('jax.numpy.where')}({mask}, {whole}, {fill})"
    given = "".join(f", {text}" for text in rest)
    if name in _MEDIAN:
        text = f"{draft.name('jax.numpy.' + _MEDIAN[name])}({whole}{given})"
    elif is_method:
        is_bare = name in _WHERE and not isinstance(inner, ast.Name | ast.Attribute | ast.Call)
        is_bare = is_bare and not isinstance(inner, ast.Subscript)
        head = f"({whole})" if is_bare else whole
        text = f"{head}.{name}({', '.join(rest)})"
    else:
        text = f"{module.text(func)}({whole}{given})"
    draft.replace(call, text)
    return True


def _widened(picked: MaskedSelection, mask: str) -> str:
    """Write a mask of rows so that it goes along the other axes too."""
    first = picked.subscripts[0]
    fact = picked.frame.fact(first.value)
    rank = fact.detail.count(",") + 1 if fact is not None and "[" in fact.detail else 1
    own = picked.frame.fact(picked.mask)
    is_row = own is not None and own.detail.startswith("bool[") and "," not in own.detail
    said = re.search(r"got bool\[([\d,]*)\]", picked.message)
    if said is not None:
        is_row = "," not in said[1]
    return f"{_atomic(mask)}[:, None]" if is_row and rank == 2 else mask


# ---------------------------------------------------------------- assignments


def _masked_update(frame: FrameContext, call: ast.Call) -> Draft | None:
    """`x.at[mask].set(v)` with an array v becomes a choice."""
    func = call.func
    subscript = func.value if isinstance(func, ast.Attribute) else None
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    if not isinstance(func, ast.Attribute) or not isinstance(at, ast.Attribute):
        return None
    if not isinstance(subscript, ast.Subscript) or at.attr != "at" or len(call.args) != 1:
        return None
    sign = {"set": "", "add": "+", "multiply": "*", "mul": "*", "subtract": "-"}.get(func.attr)
    if sign is None:
        return None
    base = frame.module.text(at.value)
    value = _unmasked(frame.module, call.args[0], subscript.slice)
    is_atom = isinstance(call.args[0], ast.Name | ast.Constant | ast.Call | ast.Subscript)
    new = f"{base} {sign} {value if is_atom else f'({value})'}" if sign else value
    draft = Draft(frame.module)
    mask = frame.module.text(subscript.slice)
    return draft.replace(call, f"{draft.name('jax.numpy.where')}({mask}, {new}, {base})")


def _unmasked(module: Module, value: ast.expr, mask: ast.expr) -> str:
    """Write a value with `y[mask]` as `y`."""
    wanted = ast.dump(mask)
    parts: dict[ast.AST, str] = {
        n: atom(module, n.value)
        for n in ast.walk(value)
        if isinstance(n, ast.Subscript) and ast.dump(n.slice) == wanted
    }
    return rewrite(module, value, parts)


def masked_assignment(site: FixSite) -> Drafts:
    """`x[mask] = v` becomes `x = jnp.where(mask, v, x)`."""
    frame = site.frame
    statement = frame.module.statement(site.at) if frame is not None and site.at else None
    if frame is None or not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    draft = Draft(frame.module)
    if _put_masked(draft, statement):
        yield draft
    other = Draft(frame.module)
    yield other if put_update(other, statement) else None


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}


def _put_masked(draft: Draft, statement: ast.Assign | ast.AugAssign) -> bool:
    module = draft.module
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Tuple):
        return False
    base, mask = module.text(target.value), module.text(target.slice)
    value = _unmasked(module, statement.value, target.slice)
    if isinstance(statement, ast.AugAssign):
        sign = _SIGNS.get(type(statement.op))
        if sign is None:
            return False
        is_atom = isinstance(statement.value, ast.Name | ast.Constant | ast.Call | ast.Subscript)
        value = f"{base} {sign} {value if is_atom else f'({value})'}"
    where = draft.name("jax.numpy.where")
    draft.replace(statement, f"{base} = {where}({mask}, {value}, {base})")
    return True


# ---------------------------------------------------------------- arrays in place


def in_place(site: FixSite) -> Drafts:
    """Assignments into an array become `.at` updates: this one, then all into it."""
    frame = site.frame
    statement = frame.module.statement(site.at) if frame is not None and site.at else None
    target = _target(statement)
    if frame is None or target is None or statement is None:
        return
    yield from _all_into(frame, statement, target)


def _target(statement: ast.stmt | None) -> ast.expr | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement.targets[0]
    return statement.target if isinstance(statement, ast.AugAssign) else None


def _all_into(frame: FrameContext, statement: ast.stmt, target: ast.expr) -> Iterator[Draft | None]:
    module = frame.module
    base = _base(module, target)
    function = frame.function
    statements = [statement]
    if function is not None:
        statements = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.stmt)
            and (into := _target(n)) is not None
            and _base(module, into) == base
        ]
    draft = Draft(module)
    if all(_put(draft, frame, s) for s in statements):
        yield draft
    if len(statements) > 1:
        alone = Draft(module)
        yield alone if _put(alone, frame, statement) else None


def _base(module: Module, target: ast.expr) -> str:
    if isinstance(target, ast.Tuple):
        target = target.elts[0]
    while isinstance(target, ast.Subscript):
        target = target.value
        if not isinstance(target, ast.Subscript):
            return module.text(target)
    return ""


def _put(draft: Draft, frame: FrameContext, statement: ast.stmt) -> bool:
    target = _target(statement)
    if isinstance(target, ast.Tuple):
        return _put_swap(draft, statement, target)
    if isinstance(target, ast.Subscript) and _is_mask(target.slice):
        assert isinstance(statement, ast.Assign | ast.AugAssign)
        return _put_masked(draft, statement)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
        kind = frame.kind(target.value.value)
        if kind in ("array", "tracer"):
            return _put_nested(draft, statement, target)
    return put_update(draft, statement)


def _is_mask(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare)


def _put_swap(draft: Draft, statement: ast.stmt, target: ast.Tuple) -> bool:
    """`x[i], x[j] = a, b`: the right side is evaluated before either is written."""
    module = draft.module
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
        return False
    if not all(isinstance(t, ast.Subscript) for t in target.elts):
        return False
    base = _base(module, target)
    text = base
    for place, given in zip(target.elts, value.elts, strict=True):
        assert isinstance(place, ast.Subscript)
        text += f".at[{module.text(place.slice)}].set({module.text(given)})"
    draft.replace(statement, f"{base} = {text}")
    return True


def _put_nested(draft: Draft, statement: ast.stmt, target: ast.Subscript) -> bool:
    """`x[i][j] = v` becomes `x = x.at[i, j].set(v)`."""
    module, inner = draft.module, target.value
    value = getattr(statement, "value", None)
    if not isinstance(inner, ast.Subscript) or value is None:
        return False
    base = module.text(inner.value)
    method = "set" if isinstance(statement, ast.Assign) else "add"
    if isinstance(statement, ast.AugAssign) and not isinstance(statement.op, ast.Add):
        return False
    index = f"{module.text(inner.slice)}, {module.text(target.slice)}"
    draft.replace(statement, f"{base} = {base}.at[{index}].{method}({module.text(value)})")
    return True


def dropped_update(site: FixSite) -> Drafts:
    """`x.at[i].set(v)` as a statement becomes an assignment to x."""
    module, node = site.module, site.node
    call = node.value if isinstance(node, ast.Expr) else node
    if module is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    subscript = call.func.value
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    if isinstance(at, ast.Attribute) and at.attr == "at":
        yield Draft(module).before(call, f"{module.text(at.value)} = ")


def duplicates(site: FixSite) -> Drafts:
    """`x.at[i].set(x[i] + v)` becomes `x.at[i].add(v)`."""
    module, node = site.module, site.node
    if module is None or node is None:
        return
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            yield _accumulate(module, call)


_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mult: "multiply",
    ast.Sub: "subtract",
}


def _accumulate(module: Module, call: ast.Call) -> Draft | None:
    func = call.func
    subscript = func.value if isinstance(func, ast.Attribute) else None
    at = subscript.value if isinstance(subscript, ast.Subscript) else None
    value = call.args[0] if len(call.args) == 1 else None
    if not isinstance(subscript, ast.Subscript) or not isinstance(at, ast.Attribute):
        return None
    if not isinstance(func, ast.Attribute) or at.attr != "at" or func.attr != "set":
        return None
    if not isinstance(value, ast.BinOp) or type(value.op) not in _METHODS:
        return None
    read = (ast.dump(at.value), ast.dump(subscript.slice))
    sides = [(value.left, value.right)]
    if not isinstance(value.op, ast.Sub):
        sides.append((value.right, value.left))
    for old, added in sides:
        if isinstance(old, ast.Subscript) and (ast.dump(old.value), ast.dump(old.slice)) == read:
            draft = Draft(module)
            start = module.text(subscript)
            method = _METHODS[type(value.op)]
            return draft.replace(call, f"{start}.{method}({module.text(added)})")
    return None


FIXERS: dict[str, Fixer] = {
    "boolean-mask-index": boolean_index,
    "masked-assignment": masked_assignment,
    "inplace-assignment": in_place,
    "at-set-result-dropped": dropped_update,
    "scatter-duplicate-indices": duplicates,
}
