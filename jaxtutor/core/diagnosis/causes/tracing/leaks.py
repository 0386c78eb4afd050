"""Matches the causes in which a traced function has an effect beyond its result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.observations import LeakedTracer
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import (
    AtFrame,
    Finding,
    Match,
    ObservedLocation,
    at_frame,
    finding,
)
from jaxtutor.core.diagnosis.engine.rules import Rule, observed, raised
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Location,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_name, last_part

_ADDING = frozenset({"append", "extend", "insert", "appendleft", "add", "put"})
_SETTING = frozenset({"setdefault", "update", "__setitem__"})
_CACHES = frozenset({"lru_cache", "cache", "cached_property"})


class StoreSite(Struct, frozen=True):
    """A statement that stores into a leak's holder; `kind` is append, item, attribute or name."""

    module: Module
    statement: ast.stmt
    kind: str


class Leaked(Match, frozen=True, kw_only=True):
    """A tracer that outlived its trace: what holds it, and the statement that stored it."""

    modules: Mapping[str, Module]
    leak: Leak
    store: StoreSite | None


def find_store(modules: Mapping[str, Module], leak: Leak) -> StoreSite | None:
    """Find the statement that stored a leaked tracer; None unless there is only one candidate."""
    found = [s for m in modules.values() for s in _stores(m, leak)]
    if len(found) > 1 and leak.created is not None:
        near = [s for s in found if _is_in_function(s, leak.created.function)]
        found = near or found
    if len(found) > 1:
        found = [s for s in found if not _stores_constant(s.statement)] or found
    if len(found) > 1:  # an object is made before the trace, and written to during it
        found = [s for s in found if not _is_in_function(s, "__init__")] or found
    return found[0] if found and len({s.statement.lineno for s in found}) == 1 else None


def _is_in_function(store: StoreSite, name: str) -> bool:
    function = store.module.function(store.statement)
    return getattr(function, "name", "<lambda>") == name


def _stores_constant(statement: ast.stmt) -> bool:
    return isinstance(getattr(statement, "value", None), ast.Constant | ast.List | ast.Dict)


def _stores(module: Module, leak: Leak) -> Iterator[StoreSite]:
    for node in module.nodes:
        kind = _stores_into(module, node, leak)
        statement = module.statement(node) if kind else None
        if kind and statement is not None and module.function(node) is not None:
            yield StoreSite(module, statement, kind)


def _stores_into(module: Module, node: ast.AST, leak: Leak) -> str | None:
    """Return how a node stores into a leak's holder, if it does."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if not _is_holder(node.func.value, leak.path):
            return None
        method = node.func.attr
        return "append" if method in _ADDING else "item" if method in _SETTING else None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return "item" if _is_holder(node.value, leak.path) else None
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return "attribute" if "." in leak.path and _is_holder(node, leak.path) else None
    if isinstance(node, ast.stmt) and leak.path in bound_names(node):
        return "name" if _is_outer(module, node, leak.path) else None
    return None


def _is_holder(node: ast.AST, path: str) -> bool:
    """Return whether an expression is a holder, or a part of it: `H["a"]` for `H`.

    An attribute is known by its own name: `model.acts` inside a class is `self.acts`.
    """
    while isinstance(node, ast.Subscript):
        node = node.value
    written = path_of(node)
    if written is None:
        return False
    if "." in path:
        return "." in written and last_part(written) == last_part(path)
    return written == path


def _is_outer(module: Module, node: ast.AST, name: str) -> bool:
    """Return whether the function around a node declares a name global or nonlocal."""
    function = module.function(node)
    return function is not None and any(
        isinstance(n, ast.Global | ast.Nonlocal) and name in n.names for n in ast.walk(function)
    )


# ---------------------------------------------------------------- which kind of leak


def leak_seen(slug: str) -> Callable[[ObservedLocation[LeakedTracer]], Finding | None]:
    """Return a function that recognises one cause in a leak that was observed."""

    def found(spot: ObservedLocation[LeakedTracer]) -> Finding | None:
        leak = spot.seen.leak
        named = leak_of(spot.modules, leak)
        if named is None or named[0] != slug or named[1].place is None:
            return None
        place = named[1].place
        module = spot.modules[place.file]
        return finding(module, place, {**named[1].facts, "function": leak.function})

    return found


def leak_of(modules: Mapping[str, Module], leak: Leak) -> tuple[str, Leaked] | None:
    """Name the cause of a leak and find its store; None where its holder is not known."""
    if leak.holder == "unknown":
        return _cause_of_creation(modules, leak)
    store = find_store(modules, leak)
    piece = _piecewise(modules, leak) if store is None else None
    if piece is not None:
        return "leaked-by-piecewise", _leaked(modules, leak, piece)
    slug = _leak_slug(leak, store)
    place = _created(modules, leak)
    if leak.holder == "cache":
        place = _cached(modules, leak) or place
    elif leak.holder != "generator" and store is not None:
        place = store.module.location(store.statement)
    return (slug, _leaked(modules, leak, place)) if slug is not None else None


def _piecewise(modules: Mapping[str, Module], leak: Leak) -> Location | None:
    """Return the call of jnp.piecewise whose functions read a leaked value from outside."""
    for module in modules.values():
        for call in module.nodes:
            path = module.dotted(call.func) if isinstance(call, ast.Call) else None
            if not isinstance(call, ast.Call) or path != "jax.numpy.piecewise":
                continue
            pieces = [n for a in call.args[2:3] for n in ast.walk(a) if isinstance(n, ast.Lambda)]
            for piece in pieces:
                given = set(parameter_names(piece))
                if leak.path in names_in(piece.body) - given:
                    return module.location(call)
    return None


def _leaked(modules: Mapping[str, Module], leak: Leak, place: Location | None) -> Leaked:
    store = find_store(modules, leak)
    container = _written_holder(store.statement, leak) if store is not None else leak.path
    facts = {"container": container, "name": leak.path, "aval": leak.aval}
    if leak.function:
        facts["function"] = leak.function
    return Leaked(place, facts, modules=modules, leak=leak, store=store)


def _appended(modules: Mapping[str, Module], leak: Leak, module: Module, call: ast.Call) -> Leaked:
    """Return a leak whose holder is known only from the call that adds to it."""
    found, statement = _leaked(modules, leak, module.location(call)), module.statement(call)
    holder = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    store = StoreSite(module, statement, "append") if statement is not None else None
    return replace(found, facts={**found.facts, "container": module.text(holder)}, store=store)


def _written_holder(statement: ast.stmt, leak: Leak) -> str:
    """Return an attribute as the statement that stores into it writes it: `self.tracker.last`."""
    attributes = (n for n in ast.walk(statement) if isinstance(n, ast.Attribute))
    written = (path_of(n) for n in attributes if "." in leak.path and _is_holder(n, leak.path))
    return next((path for path in written if path is not None), leak.path)


def _leak_slug(leak: Leak, store: StoreSite | None) -> str | None:
    """Name the cause by what holds the tracer and how it was stored."""
    if leak.holder in ("generator", "cache"):
        return f"leaked-by-{leak.holder}"
    if store is not None and _is_memo(store, leak):
        return "leaked-by-cache"
    if store is not None and store.kind == "append":
        return "leaked-by-append"
    if "." in leak.path or leak.holder == "attribute":
        return "leaked-by-attribute"
    if leak.holder in ("global", "closure"):
        return f"leaked-by-{leak.holder}"
    if store is None:
        return "leaked-by-append" if leak.holder == "list" else None
    is_global = any(leak.path in bound_names(s) for s in store.module.tree.body)
    return "leaked-by-global" if is_global else "leaked-by-closure"


def _cause_of_creation(modules: Mapping[str, Module], leak: Leak) -> tuple[str, Leaked] | None:
    """Name the cause by the statement that made the tracer, where that is what stored it."""
    module = modules.get(leak.created.file) if leak.created is not None else None
    node = module.node_at(leak.created.span) if module and leak.created else None
    statement = module.statement(node) if module is not None and node is not None else None
    function = module.function(node) if module is not None and node is not None else None
    if module is None or statement is None or function is None:
        return None
    slug = _by_statement(function, statement)
    if slug is not None:
        return slug, _leaked(modules, leak, _created(modules, leak))
    added = _added_outside(module, function, statement)
    return ("leaked-by-append", _appended(modules, leak, module, added)) if added else None


def _by_statement(function: FunctionNode, statement: ast.stmt) -> str | None:
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(function)):
        return "leaked-by-generator"
    for declared in own_nodes(function):
        if isinstance(declared, ast.Global) and bound_names(statement) & set(declared.names):
            return "leaked-by-global"
        if isinstance(declared, ast.Nonlocal) and bound_names(statement) & set(declared.names):
            return "leaked-by-closure"
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return "leaked-by-attribute" if any(isinstance(t, ast.Attribute) for t in targets) else None


def _added_outside(module: Module, function: FunctionNode, statement: ast.stmt) -> ast.Call | None:
    """Find the one call that adds what a statement made to a container from outside."""
    inner = {n for s in own_nodes(function) if isinstance(s, ast.stmt) for n in bound_names(s)}
    calls = [n for n in own_nodes(function) if isinstance(n, ast.Call)]
    found = [c for c in calls if _adds(c, inner) and _gets_result(module, c, statement)]
    return found[0] if len(found) == 1 else None


def _adds(call: ast.Call, inner: set[str]) -> bool:
    """Return whether a call adds to a container that a function did not make itself."""
    func = call.func
    is_adding = isinstance(func, ast.Attribute) and func.attr in _ADDING and len(call.args) > 0
    name = path_of(func.value) if isinstance(func, ast.Attribute) and is_adding else None
    return name is not None and "." not in name and name not in inner


def _gets_result(module: Module, call: ast.Call, statement: ast.stmt) -> bool:
    """Return whether a call is a statement itself, or is given what the statement bound."""
    given = {n for a in call.args for n in names_in(a)}
    return module.statement(call) is statement or bool(given & bound_names(statement))


def _created(modules: Mapping[str, Module], leak: Leak) -> Location | None:
    module = modules.get(leak.created.file) if leak.created is not None else None
    if module is None or leak.created is None:
        return None
    node = module.node_at(leak.created.span)
    statement = module.statement(node) if node is not None else None
    return module.location(statement or leak.created.span)


def _cached(modules: Mapping[str, Module], leak: Leak) -> Location | None:
    """Find the decorator that keeps a function's results."""
    for module in modules.values():
        function = module.function_named(last_part(leak.path))
        for decorator in function.decorator_list if function is not None else ():
            if decorator_name(decorator) in _CACHES:
                return module.location(decorator)
    return None


def decorator_name(decorator: ast.expr) -> str:
    """Return the last part of a decorator's path, without its arguments."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return last_name(target)


def _is_memo(store: StoreSite, leak: Leak) -> bool:
    """Return whether a dict is a memo: looked into before it is written, in the same function."""
    function = store.module.function(store.statement)
    if function is None or store.kind != "item":
        return False
    is_default = leak.path in set(parameter_names(function))
    return is_default or any(_looks_into(n, leak.path) for n in ast.walk(function))


def _looks_into(node: ast.AST, path: str) -> bool:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        return _is_holder(node.comparators[0], path)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("get", "setdefault") and _is_holder(node.func.value, path)
    return isinstance(node, ast.ExceptHandler) and path_of(node.type) == "KeyError"


# ---------------------------------------------------------------- matchers


def leaked(slug: str) -> Callable[[FailureContext], Leaked | None]:
    """Return the matcher of one kind of leak."""

    def match(context: FailureContext) -> Leaked | None:
        leak = context.failure.leak
        found = leak_of(context.modules, leak) if leak is not None else None
        return found[1] if found is not None and found[0] == slug else None

    return match


def unknown_leak(context: FailureContext) -> Match | None:
    """A leak whose holder is not known has a place and no cause."""
    leak = context.failure.leak
    return Match(_created(context.modules, leak)) if leak is not None else None


def unhashable_array(context: FailureContext) -> AtFrame | None:
    """A cache is keyed by an array or a tracer, which cannot be hashed."""
    func = context.call.func if context.call is not None else None
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    is_array = "ArrayImpl" in context.message or "ndarray" in context.message
    is_cached = "Tracer" in context.message and _is_cached(context, name)
    if not (is_array or is_cached):
        return None
    return at_frame(context, {"function": name}, place=_cache_of(context, name))


def _is_cached(context: FailureContext, name: str) -> bool:
    """Return whether a cache wraps a function of the learner's."""
    return _cache_of(context, name) is not None


def _cache_of(context: FailureContext, name: str) -> Location | None:
    """Return the decorator that wraps a function of the learner's in a cache."""
    found = [
        module.location(decorator)
        for module in context.modules.values()
        for function in module.functions
        if isinstance(function, Definition) and function.name == name
        for decorator in function.decorator_list
        if decorator_name(decorator) in ("lru_cache", "cache")
    ]
    return found[0] if len(found) == 1 else None


_GENERATORS = ("numpy.random.RandomState", "random.Random")


def host_generators(module: Module) -> Iterator[Finding]:
    """`np.random.RandomState(0)` in a compiled function draws while it is traced."""
    for item in applied(module):
        if item.kind != "jit" or item.function is None:
            continue
        for node in calls_in(item.function):
            if module.dotted(node.func) in _GENERATORS:
                facts = {"function": name_of(item.function)}
                yield finding(module, node, facts)


RULES = (
    Rule("leaked-by-piecewise", raised(leaked("leaked-by-piecewise"), of_any_class=True)),
    Rule("leaked-by-append", observed((LeakedTracer, leak_seen("leaked-by-append")))),
    Rule("leaked-by-piecewise", observed((LeakedTracer, leak_seen("leaked-by-piecewise")))),
)
