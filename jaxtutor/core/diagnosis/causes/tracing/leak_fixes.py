"""Fixes side effects: what was stored is returned, what was drawn is passed in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from jaxtutor.core.data.observations import (
    CapturedChange,
    HostRandom,
    HostTime,
    LeakedTracer,
    MutatedBound,
    MutatedStatic,
    StaleAttribute,
    StaleGlobal,
    StaleItem,
    TracerPrinted,
)
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.tracing.appended import StoreStatement, give_out
from jaxtutor.core.diagnosis.causes.tracing.leaks import (
    Leaked,
    decorator_name,
    host_generators,
    leak_seen,
    leaked,
    unhashable_array,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import (
    add_argument,
    fresh_name,
    indent_of,
    rewrite,
)
from jaxtutor.core.diagnosis.editing.parameters import (
    call_sites,
    hoist,
    pass_through,
    transformed,
)
from jaxtutor.core.diagnosis.editing.printing import debug_print
from jaxtutor.core.diagnosis.engine.matches import AtFrame, Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.observed.arithmetic import at_frame
from jaxtutor.core.diagnosis.observed.captured import captured_change, is_named
from jaxtutor.core.diagnosis.observed.counters import counter
from jaxtutor.core.diagnosis.observed.settings import stale_elsewhere
from jaxtutor.core.diagnosis.observed.state import (
    StaleRead,
    stale_attribute,
    stale_global,
    stale_item,
)
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_of
from jaxtutor.core.diagnosis.reading.functions import (
    block_of,
    parameter_names,
    returns_of,
)
from jaxtutor.core.diagnosis.reading.names import all_names, last_part

# ---------------------------------------------------------------- what was stored


def return_stored(found: Leaked) -> Drafts:
    """Return what a traced function stored, and let its caller store it."""
    if found.store is None:
        return
    module, statement = found.store.module, found.store.statement
    function = module.function(statement)
    if isinstance(function, ast.FunctionDef):
        yield give_out(module, function, statement)
        yield _return(module, function, statement)


def _return(module: Module, function: ast.FunctionDef, statement: ast.stmt) -> Draft | None:
    stored, draft = StoreStatement(module, statement), Draft(module)
    items = transformed(module, function)
    ends = returns_of(function)
    in_loop = any(
        isinstance(n, ast.For | ast.While) for n in module.ancestors(statement) if n is not function
    )
    if stored.value is None or len(ends) != 1 or ends[0].value is None:
        return None
    if in_loop and not stored.is_append:
        return None
    name, result = _local(module, stored.holder), ends[0].value
    reads: list[ast.expr] = []
    if in_loop:
        top = function.body[0]
        draft.add_lines(top.lineno, f"{indent_of(module, top)}{name} = []")
        call = statement.value if isinstance(statement, ast.Expr) else None
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        draft.replace(call.func.value, name)
    else:
        draft.replace(statement, f"{name} = {module.text(stored.value)}")
        reads = [] if stored.is_append else _reads_after(module, function, statement, stored.holder)
    inner: dict[ast.AST, str] = {
        node: name for node in reads if result in module.ancestors(node) or node is result
    }
    for node in reads:
        if node not in inner:
            draft.replace(node, name)
    text = rewrite(module, result, inner)
    is_tuple = isinstance(result, ast.Tuple) and text[:1] != "("
    draft.replace(result, f"({text}), {name}" if is_tuple else f"{text}, {name}")
    return draft if _take_all(draft, function, items, stored, name, in_loop) else None


def _local(module: Module, holder: str) -> str:
    plain = last_part(holder.partition("[")[0]).lower()
    return fresh_name(module, plain, f"new_{plain}")


def _reads_after(
    module: Module, function: ast.FunctionDef, statement: ast.stmt, holder: str
) -> list[ast.expr]:
    """List the reads of a holder that follow the statement that stores into it."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute | ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and node.lineno > statement.lineno
        and module.text(node) == holder
    ]


def _take_all(
    draft: Draft,
    function: ast.FunctionDef,
    items: list[AppliedTransform],
    stored: StoreStatement,
    name: str,
    is_many: bool,
) -> bool:
    """Let every caller take the extra result and store it."""
    module = draft.module
    calls = call_sites(module, function, items)
    for item in items:
        if item.kind in ("grad", "value_and_grad"):
            if item.call is None or keyword_of(item.call, "has_aux") is not None:
                return False
            add_argument(draft, item.call, "has_aux=True")
    kind = items[0].kind if items else ""
    return bool(calls) and all(
        _take(draft, call, _holder_at(module, call, stored), name, kind, is_many=is_many)
        for call in calls
    )


def _holder_at(module: Module, call: ast.Call, stored: StoreStatement) -> tuple[str, bool]:
    """Write the holder as the caller sees it: `self.h` of `model.loss` is `model.h`."""
    holder = stored.holder
    if holder.startswith("self."):
        inner: ast.expr = call.func
        while isinstance(inner, ast.Call):
            inner = inner.args[0] if inner.args else inner.func
        if isinstance(inner, ast.Attribute):
            holder = module.text(inner.value) + holder[len("self") :]
    return holder, stored.is_append


def _take(
    draft: Draft, call: ast.Call, place: tuple[str, bool], name: str, kind: str, *, is_many: bool
) -> bool:
    module = draft.module
    holder, is_append = place
    statement = module.parents.get(call)
    extra = name if is_append else holder
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if kind == "value_and_grad":
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                return False
            first = target.elts[0]
            draft.replace(first, f"({module.text(first)}, {extra})")
        else:
            text = module.text(target)
            wrapped = isinstance(target, ast.Tuple) and text[:1] != "("
            draft.replace(target, f"({text}), {extra}" if wrapped else f"{text}, {extra}")
    elif isinstance(statement, ast.Expr):
        draft.before(call, f"_, {extra} = ")
    elif isinstance(statement, ast.Return) and kind != "value_and_grad":
        result = fresh_name(module, "result", "answer")
        indent = indent_of(module, statement)
        draft.replace(
            statement, f"{result}, {extra} = {module.text(call)}\n{indent}return {result}"
        )
    else:
        return kind == "jit" and _take_before(draft, call, place, name, is_many=is_many)
    if is_append and isinstance(statement, ast.stmt) and not isinstance(statement, ast.Return):
        method = "extend" if is_many else "append"
        draft.lines_after(statement, f"{indent_of(module, statement)}{holder}.{method}({name})")
    return not (is_append and isinstance(statement, ast.Return))


def _take_before(
    draft: Draft, call: ast.Call, place: tuple[str, bool], name: str, *, is_many: bool
) -> bool:
    """Make a call inside another expression first, in a line of its own."""
    module, (holder, is_append) = draft.module, place
    statement = module.statement(call)
    called = ast.dump(call.func)
    others = [n for n in calls_in(statement or call) if n is not call]
    inner = [n for n in module.ancestors(call) if isinstance(n, ast.Lambda | ast.comprehension)]
    is_plain = isinstance(statement, ast.Assign | ast.Expr) and not inner
    if not is_plain or statement is None or any(ast.dump(n.func) == called for n in others):
        return False
    result, indent = fresh_name(module, "result", "answer"), indent_of(module, statement)
    lines = [f"{result}, {name if is_append else holder} = {module.text(call)}"]
    if is_append:
        lines.append(f"{holder}.{'extend' if is_many else 'append'}({name})")
    draft.add_lines(statement.lineno, "\n".join(indent + line for line in lines))
    draft.replace(call, result)
    return True


# ---------------------------------------------------------------- what was drawn


def pass_in(found: Leaked | Finding) -> Drafts:
    """Pass what a traced function takes from a store that changes to it as an argument."""
    store = found.store if isinstance(found, Leaked) else None
    maker = store.module.function(store.statement) if store is not None else None
    for module in found.modules.values():
        is_here = store is not None and store.module is module
        yield from _hoist_calls(module, {getattr(maker, "name", "")} if is_here else set())
    if isinstance(found, Leaked):
        yield from return_stored(found)


def _hoist_calls(module: Module, makers: set[str]) -> Drafts:
    for node in module.calls:
        if _is_taking(module, node, makers):
            function = module.function(node)
            if isinstance(function, ast.FunctionDef):
                yield hoist(module, node, function, "key")


def _is_taking(module: Module, node: ast.Call, makers: set[str]) -> bool:
    written = path_of(node.func) or ""
    name = last_part(written)
    if name in makers and not node.args and not node.keywords:
        return True
    if written == "next" and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        bound = module.assignments(node.args[0].id, module.tree)
        return bool(bound)
    return False


def pass_global(found: StaleRead) -> Drafts:
    """Pass a variable that changes to the compiled function that reads it."""
    module = found.module
    outer = [n for n in (found.node, *module.ancestors(found.node)) if isinstance(n, Definition)]
    function = outer[-1] if outer else None
    if not isinstance(function, ast.FunctionDef):
        return
    own = set(parameter_names(function))
    own |= {name for node in own_nodes(function) for name in bound_names(node)}
    if found.name not in own and module.assignments(found.name, module.tree):
        yield pass_through(Draft(module), function, found.name, found.name)


def draw_outside(found: Finding) -> Drafts:
    """Let the caller draw, at every call, what the host draws inside a traced function."""
    module, node = found.module, found.node
    function = module.function(node)
    if not isinstance(node, ast.Call) or not isinstance(function, ast.FunctionDef):
        return
    stored = (n for n in own_nodes(function) if isinstance(n, ast.Name))
    local = {n.id for n in stored if isinstance(n.ctx, ast.Store)}
    local |= set(parameter_names(function))
    if not local & all_names(node):
        yield hoist(module, node, function, "draw")


# ---------------------------------------------------------------- caches, prints


def fill_with_values(found: Leaked | Finding) -> Drafts:
    """Fill a cache with values while tracing, or do not keep it."""
    store = found.store if isinstance(found, Leaked) else None
    if store is not None:
        for statements in _worth_evaluating(store.module, store.statement):
            yield _evaluate(store.module, statements)
    yield from _uncached(found.modules)


def uncache(found: AtFrame) -> Drafts:
    """Remove the cache of a function that is given arrays."""
    yield from _uncached(found.context.modules)


def _uncached(modules: Mapping[str, Module]) -> Drafts:
    for module in modules.values():
        for function in module.functions:
            for decorator in getattr(function, "decorator_list", []):
                name = decorator_name(decorator)
                if name in ("lru_cache", "cache"):
                    lines = Span(decorator.lineno, 0, (decorator.end_lineno or 0) + 1, 0)
                    yield Draft(module).replace(lines, "")
                elif name == "cached_property":
                    yield Draft(module).replace(decorator, "property")


def _worth_evaluating(module: Module, statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Return the block that fills a cache, then the statement alone."""
    block = block_of(module, statement)
    if isinstance(module.parents.get(statement), ast.If) and len(block) > 1:
        yield block
    yield [statement]


def _evaluate(module: Module, statements: list[ast.stmt]) -> Draft | None:
    """Put statements under ensure_compile_time_eval, which keeps tracers out of a cache."""
    first, last = module.span(statements[0]), module.span(statements[-1])
    indent = indent_of(module, statements[0])
    lines = module.lines[first.line - 1 : last.end_line]
    draft = Draft(module)
    name = draft.name("jax.ensure_compile_time_eval")
    text = "\n".join(
        [f"{indent}with {name}():", *(f"    {line}" if line else "" for line in lines)]
    )
    return draft.replace(Span(first.line, 0, last.end_line, len(lines[-1])), text)


def print_traced(found: Finding) -> Drafts:
    """Write a print in a traced function as jax.debug.print."""
    call = found.node.value if isinstance(found.node, ast.Expr) else found.node
    if isinstance(call, ast.Call):
        yield debug_print(found.module, call)


def _is_explained(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another finding names the same value, or the same mistake."""
    is_loss = isinstance(found, StaleRead) and _read_by_loss(found, others)
    return is_loss or is_named(found, others)


def _read_by_loss(found: StaleRead, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether a loss reads the stale variable in the place of its argument."""
    name, file = found.name, found.module.file
    outside = (it for _, it in others if it.form == "outside" and it.module.file == file)
    return any(it.facts.get("name") == name for it in outside)


RULES = (
    Rule("leaked-by-append", raised(leaked("leaked-by-append"), of_any_class=True), return_stored),
    Rule("leaked-by-attribute", raised(leaked("leaked-by-attribute"), of_any_class=True), pass_in),
    Rule("leaked-by-global", raised(leaked("leaked-by-global"), of_any_class=True), pass_in),
    Rule("leaked-by-closure", raised(leaked("leaked-by-closure"), of_any_class=True), pass_in),
    Rule("leaked-by-cache", raised(leaked("leaked-by-cache"), of_any_class=True), fill_with_values),
    Rule("leaked-by-generator", raised(leaked("leaked-by-generator"), of_any_class=True), pass_in),
    Rule("unhashable-array-in-cache", raised(unhashable_array), uncache, needs_source=True),
    Rule(
        "leaked-by-attribute", observed((LeakedTracer, leak_seen("leaked-by-attribute"))), pass_in
    ),
    Rule("leaked-by-global", observed((LeakedTracer, leak_seen("leaked-by-global"))), pass_in),
    Rule("leaked-by-closure", observed((LeakedTracer, leak_seen("leaked-by-closure"))), pass_in),
    Rule(
        "leaked-by-cache", observed((LeakedTracer, leak_seen("leaked-by-cache"))), fill_with_values
    ),
    Rule(
        "leaked-by-generator", observed((LeakedTracer, leak_seen("leaked-by-generator"))), pass_in
    ),
    Rule(
        "stale-global",
        observed(
            (StaleGlobal, stale_global),
            (StaleGlobal, counter),
            (StaleItem, counter),
            (StaleItem, stale_item),
            (StaleItem, stale_elsewhere),
            (MutatedStatic, counter),
            (MutatedBound, counter),
            (StaleAttribute, counter),
            (StaleAttribute, stale_attribute),
            (StaleAttribute, stale_elsewhere),
            (CapturedChange, captured_change),
        ),
        by_match(pass_global),
        is_echo=_is_explained,
    ),
    Rule(
        "impure-host-random",
        observed((HostRandom, at_frame), (HostTime, at_frame)),
        draw_outside,
    ),
    Rule("impure-host-random", read(host_generators), draw_outside),
    Rule("impure-print", observed((TracerPrinted, at_frame)), print_traced),
)
