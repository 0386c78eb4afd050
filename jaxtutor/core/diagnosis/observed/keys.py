"""Names random keys that were used twice, where the program shows that this is not meant."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, TypeGuard

from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    EqualKeys,
    KeyAgain,
    KeyCaptured,
    KeyForAll,
    KeyForLeaves,
    KeyInLoop,
    KeyKept,
    KeyReuse,
    KeyTwice,
    Observation,
    SameSeed,
    SeedForRows,
)
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.observed.location import outermost_loop
from jaxtutor.core.diagnosis.reading.calls import is_unread, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.loops import (
    Loop,
    carried,
    loop_around,
    paths_bound_in,
    paths_in,
)
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import first_match, matches
from jaxtutor.core.diagnosis.reading.values import elements
from jaxtutor.core.diagnosis.words import REPEATABLE, SHARED_KEYS, says

_SPLIT = "jax.random.split"
_IMMUTABLE = ("Module", "NamedTuple", "PyTreeNode", "Pytree")


def key_reuse(spot: ObservedLocation[KeyReuse]) -> Finding | None:
    """A key that was used before, at another place or in an earlier round of a loop."""
    if _is_compared(spot) or is_on_purpose(spot.seen.name) or _shuffles_alike(spot):
        return None
    if isinstance(spot.node, ast.Call) and _is_warm_up(spot.module, _first_calls(spot), spot.node):
        return None
    if spot.seen.first is None:
        loop = outermost_loop(spot)
        names = names_in(spot.node) if spot.node is not None else set()
        bound = {getattr(n, "id", "") for n in ast.walk(loop) if _is_bound(n)} if loop else set()
        key = spot.seen.name
        if loop is None or not key or key in bound or key not in names:
            return None
    if spot.seen.is_split or _is_draw_after_split(spot):
        return spot.found(form="split_and_drawn")
    if spot.seen.other and spot.seen.name:
        facts = {"container": spot.seen.other, "detail": str(spot.seen.first)}
        return spot.found(facts={**spot.facts, **facts}, form="same_key")
    return _used_again(spot, spot.seen.first)


def _used_again(spot: ObservedLocation[Any], first: int | None) -> Finding:
    """Return a finding that names the line of the first use, if that is another one."""
    if first is None or not spot.seen.name:
        return spot.found()
    is_split = spot.called() == _SPLIT and _is_split_first(spot)
    form = "split_twice" if is_split else "again"
    return spot.found(facts={**spot.facts, "detail": str(first)}, form=form)


def _is_split_first(spot: ObservedLocation[Any]) -> bool:
    """Return whether the first use of a key is that a line splits it."""
    calls = [spot.module.dotted(call.func) or "" for call in _first_calls(spot)]
    used = [path for path in calls if path.startswith("jax.random.")]
    return used == [_SPLIT]


def _is_draw_after_split(spot: ObservedLocation[KeyReuse]) -> bool:
    """Return whether a key that was split is drawn from."""
    called = spot.called()
    is_draw = called.startswith("jax.random.") and called not in (_SPLIT, "jax.random.fold_in")
    return is_draw and not spot.seen.other and _is_split_first(spot)


def _shuffles_alike(spot: ObservedLocation[Observation]) -> bool:
    """Return whether a key only shuffles arrays, each once: their rows stay together."""
    call = spot.node
    if not isinstance(call, ast.Call) or not spot.called().endswith("random.permutation"):
        return False
    if len(call.args) != 2 or path_of(call.args[0]) is None:
        return False
    arrays = []
    for node in ast.walk(spot.function):
        if isinstance(node, ast.Call) and path_of(call.args[0]) in map(path_of, node.args):
            if spot.module.dotted(node.func) != spot.module.dotted(call.func):
                return False
            arrays.append(path_of(node.args[-1]))
    return None not in arrays and len(set(arrays)) == len(arrays) > 1


def _is_compared(spot: ObservedLocation[Observation]) -> bool:
    """Return whether two draws are compared: then they are meant to be the same."""
    outer = spot.module.ancestors(spot.node) if spot.node is not None else ()
    return any(isinstance(n, ast.Compare | ast.Assert) for n in outer)


def _is_bound(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def key_again(spot: ObservedLocation[KeyAgain]) -> Finding | None:
    """A call in a loop that is given the same key in each round."""
    name, call = spot.seen.name, spot.node
    if not isinstance(call, ast.Call) or not name or is_on_purpose(name) or _is_compared(spot):
        return None
    if name.startswith("self.") and (_is_drawn_here(spot) or _renews_itself(spot, call)):
        kept = _kept_in_loop(spot, call, name)
        return spot.found() if kept else _never_advanced(spot, name)
    if name.startswith("self.") and _is_dropout(spot, call):
        return spot.found()
    loop = loop_around(spot.module, call)
    if loop is not None and not _changes(loop, name):
        is_wrong = bool(carried(spot.module, loop, call)) or _makes_layers(spot, loop)
        is_wrong = is_wrong or _feeds_a_step(spot.module, loop, call)
    else:
        is_wrong = _makes_layers(spot, outermost_loop(spot))
    return spot.found() if is_wrong else None


def _kept_in_loop(spot: ObservedLocation[Observation], call: ast.Call, name: str) -> bool:
    """Return whether a loop calls a step with a key of `self` that no method in it renews."""
    loop = loop_around(spot.module, call)
    if loop is None or _changes(loop, name) or not carried(spot.module, loop, call):
        return False
    inside = [n for n in ast.walk(loop) if isinstance(n, ast.Call)]
    called = {(path_of(n.func) or "").rpartition(".")[2] for n in inside}
    methods = [f for f in spot.module.functions if getattr(f, "name", "") in called]
    return not any(name in paths_bound_in(method) for method in methods)


def _feeds_a_step(module: Module, loop: Loop, call: ast.Call) -> bool:
    """Return whether a step that renews what the loop carries reads what a call returns.

    `for x, y in batches(key): w = step(w, x, y)` in a loop over epochs is one: each has the same
    order.
    """
    statement = module.statement(call)
    made = bound_names(statement) if isinstance(statement, ast.Assign | ast.For) else set()
    for step in (n for n in ast.walk(loop) if isinstance(n, ast.Assign)):
        if made & names_in(step.value) and bound_names(step) & carried(module, loop, step.value):
            return True
    return False


def key_kept(spot: ObservedLocation[KeyKept]) -> Finding | None:
    """A step that is given the same key each time; one draw for all steps may be meant."""
    if is_on_purpose(spot.seen.name) or _is_compared(spot):
        return None
    form = "state_dropped" if spot.seen.is_dropped else "kept"
    return replace(spot.found(form=form), is_certain=False)


def key_captured(spot: ObservedLocation[KeyCaptured]) -> Finding | None:
    """A step that draws from a key which is not an argument; one draw for all may be meant."""
    called = spot.node.value if isinstance(spot.node, ast.Expr | ast.Assign) else spot.node
    target = spot.module.statement(spot.node) if spot.node is not None else None
    names = bound_names(target) if isinstance(target, ast.Assign) else set()
    if not isinstance(called, ast.Call) or any(map(is_on_purpose, names)):
        return None
    return replace(spot.found(form="captured"), is_certain=False)


def key_for_all(spot: ObservedLocation[KeyForAll]) -> Finding | None:
    """A draw for each example of a mapped function, from one key for all of them.

    Its shape says that it belongs to the example; a table of weights may be meant to be shared.
    """
    if spot.seen.is_dropout:
        return spot.found(form="dropout")
    if spot.seen.library:  # the same noise for all may be meant, to compare them
        facts = {**spot.facts, "function": spot.seen.library}
        return replace(spot.found(facts=facts, form="mapped_library"), is_certain=False)
    call, mapped = spot.node, set(spot.seen.mapped)
    if not isinstance(call, ast.Call) or not call.args:
        return None
    others = [*call.args[1:], *(k.value for k in call.keywords)]
    shapes = [n.value for v in others for n in ast.walk(v) if _is_shape(n)]
    if others and not any(path_of(array) in mapped for array in shapes):
        return None
    facts = {**spot.facts, "name": spot.module.text(call.args[0]), "form": "mapped"}
    return spot.found(facts=facts)


class RepeatedKey(Finding, frozen=True, kw_only=True):
    """An array that repeats a key; `count` is the text of how often."""

    key: ast.expr
    count: str


def equal_keys(spot: ObservedLocation[EqualKeys]) -> RepeatedKey | None:
    """Keys to map over that the program makes by repeating one key."""
    module, call = spot.module, spot.node
    for value in passed_arguments(call) if isinstance(call, ast.Call) else ():
        made = bound_value(module, value)
        key, count = repeated_key(module, made) or (None, "")
        if key is not None and not is_on_purpose(module.text(key)):
            facts = {**spot.facts, "name": module.text(key)}
            return RepeatedKey(None, facts, "equal", module=module, node=made, key=key, count=count)
    return None


_REPEATED = (
    *(
        f"jnp.{stack}({keys})"
        for stack in ("stack", "array", "asarray")
        for keys in ("[$key for $x in range($n)], ...", "[$key] * $n, ...")
    ),
    "jnp.tile($key, ($n, ...))",
    "jnp.broadcast_to($key, ($n, ...))",
    "jnp.repeat($key[None], $n, ...)",
)
_STACKED = tuple(f"jnp.{stack}($keys, ...)" for stack in ("stack", "array", "asarray"))


def repeated_key(module: Module, node: ast.expr) -> tuple[ast.expr, str] | None:
    """Return what an expression repeats into an array, and the text of how often."""
    for found in matches(module, node, *_REPEATED):
        key, target = found["key"], found.get("x")
        if target is None or not names_in(key) & names_in(target):
            return key, module.text(found["n"])
    stacked = first_match(module, node, *_STACKED)
    keys = elements(stacked["keys"]) if stacked is not None else []
    is_same = len(keys) > 1 and all(ast.dump(key) == ast.dump(keys[0]) for key in keys)
    return (keys[0], str(len(keys))) if is_same else None


def key_for_leaves(spot: ObservedLocation[KeyForLeaves]) -> Finding | None:
    """A draw for each leaf of a tree, from one key for all of them."""
    if is_on_purpose(spot.seen.name) or not _is_drawn_here(spot):
        return None
    return spot.found(form="leaves")


def key_in_loop(spot: ObservedLocation[KeyInLoop]) -> Finding | None:
    """A draw in the body of a compiled loop, from a key that is the same in each iteration."""
    call = spot.node
    if spot.seen.is_librarys:  # one mask for all steps may be meant
        return replace(spot.found(form="loop_library"), is_certain=False)
    if not isinstance(call, ast.Call) or not call.args or not _is_drawn_here(spot):
        return None
    name = spot.module.text(call.args[0])
    if is_on_purpose(name) or _is_deterministic(spot.facts.get("function", "")):
        return None
    return spot.found(facts={**spot.facts, "name": name}, form="loop")


def same_seed(spot: ObservedLocation[SameSeed]) -> Finding | None:
    """Keys from one seed that are used side by side: two methods may be compared with them."""
    if _is_compared(spot):
        return None
    return replace(spot.found(form="seeds"), is_certain=False)


def seed_for_rows(spot: ObservedLocation[SeedForRows]) -> Finding | None:
    """A constant seed in a mapped function, from whose key every row draws the same numbers.

    A table of weights for all rows is meant to be the same; and so are draws to compare rows with.
    """
    seen, module = spot.seen, spot.module
    around = [n for n in module.ancestors(spot.at) if isinstance(n, FunctionNode)]
    given = {name for function in around for name in parameter_names(function)}
    if spot.node is None or (seen.default is None and names_in(spot.node) & given):
        return None  # the caller chooses the seed
    drawing = spot.modules.get(seen.drawn.file, module)
    draw = drawing.node_at(seen.drawn.span)
    target = module.statement(spot.node)
    names = bound_names(target) if isinstance(target, ast.Assign) else set()
    if any(map(is_on_purpose, names)) or (seen.is_shared and _draws_table(draw)):
        return None
    made, default = _call_without_field(module, spot.node), seen.default
    if made is not None:
        default = spot.frame.span.line
    form = "seed" if default is None else "seed_as_default"
    facts = {**spot.facts, "detail": str(seen.drawn.span.line), "argument": str(default)}
    return replace(spot.found(made, facts, form), is_certain=False)


def _call_without_field(module: Module, default: ast.AST) -> ast.Call | None:
    """Return the only call that leaves the field of a class to this default."""
    field = module.statement(default)
    class_ = module.parents.get(field) if field is not None else None
    if not isinstance(field, ast.AnnAssign) or not isinstance(class_, ast.ClassDef):
        return None
    position = [n for n in class_.body if isinstance(n, ast.AnnAssign)].index(field)
    calls = [
        n
        for n in module.calls
        if path_of(n.func) == class_.name
        and len(n.args) <= position
        and not {None, path_of(field.target)} & {k.arg for k in n.keywords}
    ]
    return calls[0] if len(calls) == 1 else None


def _draws_table(node: ast.AST | None) -> bool:
    """Return whether a draw has a shape that is written out, as a table of weights has."""
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return True
    others = [*call.args[1:], *(k.value for k in call.keywords)]
    return any(isinstance(n, ast.Tuple) and n.elts for value in others for n in ast.walk(value))


def _is_shape(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _changes(loop: Loop, name: str) -> bool:
    """Return whether a loop binds a name, or an attribute or object that it is read from."""
    parts = name.partition("[")[0].split(".")
    return bool({".".join(parts[:n]) for n in range(1, len(parts) + 1)} & paths_bound_in(loop))


def is_on_purpose(name: str) -> bool:
    """Return whether a name says that a key is meant to be used more than once."""
    return says(name, SHARED_KEYS)


def _is_drawn_here(spot: ObservedLocation[Observation]) -> bool:
    return "random" in spot.called().split(".")


def _renews_itself(spot: ObservedLocation[Observation], call: ast.Call) -> bool:
    """Return whether a call renews attributes of `self` that it is given, as a step does."""
    statement = spot.module.statement(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    stored = {path_of(n) for t in targets for n in ast.walk(t)} - {None, "self"}
    return bool(stored & paths_in(call))


def _is_dropout(spot: ObservedLocation[Observation], call: ast.Call) -> bool:
    """Return whether a call applies dropout, whose mask has to differ from call to call."""
    field = (path_of(call.func) or "").removeprefix("self.")
    method = spot.module.function(call)
    is_call = getattr(method, "name", "") == "__call__"
    return (
        is_call
        and _is_dropout_field(spot.module, field)
        and "inference" not in spot.module.text(call)
    )


def _is_dropout_field(module: Module, field: str) -> bool:
    """Return whether a class declares a field as dropout, or makes one for it."""
    for node in module.nodes:
        match node:
            case ast.AnnAssign(target=target, annotation=kind) if path_of(target) == field:
                made: ast.expr = kind
            case ast.Assign(targets=[target], value=ast.Call(func=func)) if (
                path_of(target) == f"self.{field}"
            ):
                made = func
            case _:
                continue
        if (module.dotted(made) or "").endswith(".Dropout"):
            return True
    return False


def _never_advanced(spot: ObservedLocation[Observation], name: str) -> Finding | None:
    """A method that draws from a key that only the first method of its class ever sets."""
    node = spot.node
    outer = list(spot.module.ancestors(node)) if node is not None else []
    method = next((n for n in outer if isinstance(n, Definition)), None)
    class_ = next((n for n in outer if isinstance(n, ast.ClassDef)), None)
    if method is None or class_ is None or _is_immutable(class_) or _is_deterministic(method.name):
        return None
    setters = [m for m in class_.body if isinstance(m, Definition) and name in paths_bound_in(m)]
    attribute = name.rpartition(".")[2]
    stores = [n for n in spot.module.nodes if isinstance(n, ast.Attribute)]
    others = [n for n in stores if n.attr == attribute and isinstance(n.ctx, ast.Store)]
    if [m.name for m in setters] != ["__init__"] or len(others) != 1:
        return None
    return spot.found()


def _is_immutable(class_: ast.ClassDef) -> bool:
    """Return whether objects of a class cannot keep a new key."""
    bases = [(path_of(b) or "").rpartition(".")[2] for b in class_.bases]
    frozen = any(isinstance(n, ast.keyword) and n.arg == "frozen" for n in ast.walk(class_))
    return frozen or any(base in _IMMUTABLE for base in bases)


def _is_deterministic(name: str) -> bool:
    """Return whether a method's name says that it gives the same numbers each time."""
    if name in ("__iter__", "__next__"):  # the batches of an epoch
        return False
    return name.startswith("__") or says(name, REPEATABLE)


def _makes_layers(spot: ObservedLocation[KeyAgain], loop: ast.AST | None) -> bool:
    """Return whether a loop over the sizes of a network collects what a call returns."""
    if loop is None or not isinstance(spot.node, ast.Call):
        return False
    name = spot.seen.name
    bound = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and _is_bound(n)}
    if name.partition(".")[0].partition("[")[0] in bound:
        return False
    parent = spot.module.parents.get(spot.node)
    is_listed = isinstance(parent, ast.ListComp | ast.DictComp)
    is_appended = isinstance(parent, ast.Call) and (path_of(parent.func) or "").endswith(".append")
    statement = spot.module.statement(spot.node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    is_stored = any(isinstance(t, ast.Subscript) for t in targets)
    is_library = (spot.module.dotted(spot.node.func) or "").startswith("equinox.nn.")
    is_layer = is_library or pairs_sizes(loop) or _makes_twins(spot, loop)
    return (is_listed or is_appended or is_stored) and is_layer


def _makes_twins(spot: ObservedLocation[Observation], loop: ast.AST) -> bool:
    """Return whether each round makes the same model: nothing in the loop reads its counter."""
    if not isinstance(spot.node, ast.Call) or not spot.called().startswith("equinox.nn."):
        return False
    if isinstance(loop, ast.For):
        targets = [loop.target]
    else:
        targets = [part.target for part in getattr(loop, "generators", [])]
    names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    read = [n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and not _is_bound(n)]
    return bool(targets) and not names & set(read)


def pairs_sizes(loop: ast.AST) -> bool:
    """Return whether a loop goes over neighbours: `zip(sizes[:-1], sizes[1:])`, `pairwise`."""
    for node in ast.walk(loop):
        called = (path_of(node.func) or "").rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if called == "pairwise":
            return True
        if called == "zip" and isinstance(node, ast.Call):
            sliced = [path_of(a.value) for a in node.args if isinstance(a, ast.Subscript)]
            plain = [path_of(a) for a in node.args if not isinstance(a, ast.Subscript)]
            if sliced and len(set(sliced + plain)) == 1:
                return True
    return False


def key_twice(spot: ObservedLocation[KeyTwice]) -> Finding | None:
    """Two calls in one function that are given the same key."""
    name, call = spot.seen.name, spot.node
    if not isinstance(call, ast.Call) or is_on_purpose(name) or _is_compared(spot):
        return None
    found = _used_again(spot, spot.seen.first)
    first = _first_calls(spot)
    if _is_warm_up(spot.module, first, call):
        return None
    if not spot.seen.is_traced and _consumes(spot, call):
        return found
    if any("init" in (path_of(n.func) or "") for n in (*first, call)):
        return None  # parameters are made once, and may share the key of the first draw
    if _is_chained(spot, call, first):
        return replace(found, is_certain=spot.seen.is_traced)
    if not spot.seen.is_traced:
        return None  # two methods may be compared
    is_other = bool(first) and all(path_of(n.func) != path_of(call.func) for n in first)
    return replace(found, is_certain=False) if is_other else None


def _first_calls(spot: ObservedLocation[Any]) -> list[ast.Call]:
    """Return the calls in the line of the first use that are given the key."""
    nodes = [n for n in spot.module.nodes if isinstance(n, ast.Call)]
    alike = [n for n in nodes if n.lineno == spot.seen.first and n is not spot.node]
    return [n for n in alike if spot.seen.name in paths_in(n)]


def _is_warm_up(module: Module, first: Sequence[ast.Call], call: ast.Call) -> bool:
    """Return whether the first calls are of the same function, and their results are not read.

    Such a call compiles the function before it is timed. Its random numbers go nowhere.
    """
    alike = [n for n in first if path_of(n.func) == path_of(call.func) and _is_pure(module, n)]
    return bool(alike) and all(is_unread(module, n) for n in alike)


def _is_pure(module: Module, call: ast.Call) -> bool:
    """Return whether a call is of a function, not of a method, which may keep what it draws."""
    dotted = module.dotted(call.func) or ""
    return isinstance(call.func, ast.Name) or dotted.startswith("jax.random.")


def _is_chained(
    spot: ObservedLocation[KeyTwice], call: ast.Call, first: Sequence[ast.Call]
) -> bool:
    """Return whether a call reads what the first call with its key computed.

    Two layers in a row, or the noise in the data and the model that gets them, need two keys. Calls
    side by side may share their random numbers on purpose.
    """
    key = spot.seen.name
    if any(n in list(ast.walk(call)) for n in first):
        return True
    statement = spot.module.statement(first[0]) if first else None
    made = bound_names(statement) if isinstance(statement, ast.Assign) else set[str]()
    end = call.lineno
    later = [n for n in spot.module.nodes if isinstance(n, ast.Assign)]
    for node in sorted(later, key=lambda n: n.lineno):
        if statement is not None and statement.lineno < node.lineno < end:
            made = made | bound_names(node) if names_in(node.value) & made else made
    return bool((names_in(call) - names_in(call.func)) & (made - {key}))


def _consumes(spot: ObservedLocation[KeyTwice], call: ast.Call) -> bool:
    """Return whether a call draws from its key for good: a layer, a sampler, a learner's own."""
    dotted = spot.module.dotted(call.func) or ""
    if dotted.startswith("equinox.nn."):
        return True
    made = bound_value(spot.module, call.func)
    if isinstance(made, ast.Call) and (path_of(made.func) or "").endswith("Predictive"):
        return True
    if "numpyro" in spot.module.source and dotted == "" and spot.called().endswith(".run"):
        return True
    function = spot.module.function_named((path_of(call.func) or "").rpartition(".")[2])
    return function is not None and _differs(spot, call)


def _differs(spot: ObservedLocation[KeyTwice], call: ast.Call) -> bool:
    """Return whether the first call had other arguments: equal ones make equal results.

    If a call is given a function, such as a model, or the calls differ in a setting only, they are
    two experiments, and sharing a key makes them comparable.
    """
    first = [
        n for n in spot.module.nodes if isinstance(n, ast.Call) and n.lineno == spot.seen.first
    ]
    alike = [n for n in first if path_of(n.func) == path_of(call.func)]
    key = spot.seen.name
    names = {path_of(value) or "" for n in (call, *alike) for value in n.args}
    if any(spot.module.function_named(name) is not None for name in names):
        return False
    return bool(alike) and not any(_are_variants(n, call, key) for n in alike)


def _are_variants(first: ast.Call, second: ast.Call, key: str) -> bool:
    """Return whether two calls differ in settings only: flags, texts, fractions, `x ± h`."""
    ours, theirs = _others(first, key), _others(second, key)
    if not all(map(_is_setting, (*_only_in(ours, theirs), *_only_in(theirs, ours)))):
        return _are_shifted(_only_in(ours, theirs), _only_in(theirs, ours))
    return True


def _only_in(ours: dict[str, ast.expr], theirs: dict[str, ast.expr]) -> list[ast.expr]:
    """List the arguments that differ between two calls, or that only the first has."""
    same = {n for n in ours if n in theirs and ast.dump(ours[n]) == ast.dump(theirs[n])}
    return [value for name, value in ours.items() if name not in same]


def _is_setting(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if not isinstance(inner, ast.Constant):
        return False
    return isinstance(inner.value, bool | str | float | type(None))  # an int is a size


def _are_shifted(ours: list[ast.expr], theirs: list[ast.expr]) -> bool:
    """Return whether the arguments are `x + h` and `x - h`, as for a difference quotient."""
    match ours, theirs:
        case [ast.BinOp() as one], [ast.BinOp() as other]:
            sides = [(ast.dump(n.left), ast.dump(n.right)) for n in (one, other)]
            return sides[0] == sides[1] and {type(one.op), type(other.op)} == {ast.Add, ast.Sub}
    return False


def _others(call: ast.Call, key: str) -> dict[str, ast.expr]:
    """Return the arguments of a call except the key, by their position or name."""
    given = [(str(n), value) for n, value in enumerate(call.args)]
    given += [(k.arg or "**", k.value) for k in call.keywords]
    return {name: value for name, value in given if path_of(value) != key}
