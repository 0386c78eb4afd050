"""Writes what is picked by a mask and then reduced as a reduction of the whole array."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import atom, rewrite
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.reading.calls import is_call_of
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites

_WHERE = frozenset({"sum", "mean", "std", "var", "prod", "all", "any", "nansum", "nanmean"})
_EXTREME = {"max": "-jnp.inf", "min": "jnp.inf", "amax": "-jnp.inf", "amin": "jnp.inf"}
_ZERO = {"norm": "0", "logsumexp": "-jnp.inf", "count_nonzero": "0"}
_MEDIAN = {"median": "nanmedian", "quantile": "nanquantile", "percentile": "nanpercentile"}


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
        wanted = ast.dump(first.slice)
        self.subscripts = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Subscript)
            and isinstance(n.ctx, ast.Load)
            and ast.dump(n.slice) == wanted
        ]

    def name_of(self, subscript: ast.Subscript) -> ast.Assign | None:
        """Return the statement that names what was picked, if it does no more."""
        parent = self.module.parents.get(subscript)
        is_plain = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name)
        return parent if is_plain and isinstance(parent, ast.Assign) else None


def prefix(frame: FrameContext, node: ast.Subscript) -> Draft | None:
    """`x[:n].sum()` becomes a reduction of all of x with a mask of its first n."""
    bounds = node.slice
    if frame.function is None or not isinstance(bounds, ast.Slice) or bounds.step is not None:
        return None
    draft = Draft(frame.module)
    places = f"{draft.name('jax.numpy.arange')}({frame.module.text(node.value)}.shape[0])"
    tests = []
    if bounds.lower is not None:
        tests.append(f"({places} >= {frame.module.text(bounds.lower)})")
    if bounds.upper is not None:
        tests.append(f"({places} < {frame.module.text(bounds.upper)})")
    picked = MaskedSelection(frame, node, frame.function, "")
    picked.written = " & ".join(tests) if len(tests) > 1 else tests[0][1:-1] if tests else ""
    return reduce_whole(picked) if tests else None


def reduce_whole(picked: MaskedSelection) -> Draft | None:
    """Write every use of what was picked as a reduction of the whole array."""
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
        reads = _later_loads(picked.function, target.id, statement.lineno)
        uses.extend((read, base) for read in reads)
        if shared is None:
            shared = target.id
            draft.replace(statement.value, mask)
        else:
            draft.drop(statement)
    return draft if _put_all(draft, picked, uses, shared or mask) else None


def _later_loads(function: FunctionNode, name: str, line: int) -> list[ast.expr]:
    return [site for site in load_sites(function, name) if site.lineno > line]


def _put_all(
    draft: Draft, picked: MaskedSelection, uses: list[tuple[ast.expr, str]], mask: str
) -> bool:
    """Write every use of what was picked; False where one is neither reduced nor counted."""
    groups: dict[ast.Call, dict[ast.AST, str]] = {}
    for use, base in uses:
        counted = _count_expression(picked.module, use)
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


def _count_expression(module: Module, use: ast.AST) -> ast.AST | None:
    """Find the expression that counts what was picked: `.size`, `len()`, `.shape[0]`."""
    outer = module.parents.get(use)
    if isinstance(outer, ast.Attribute) and outer.attr == "size":
        return outer
    if isinstance(outer, ast.Attribute) and outer.attr == "shape":
        return module.parents.get(outer)
    if is_call_of(outer, "len"):
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
    name = last_part(name)
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
