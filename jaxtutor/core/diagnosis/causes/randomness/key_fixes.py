"""Fixes random numbers: a key for each draw, the numbers of a typed key by name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

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
    SameSeed,
    SeedForRows,
)
from jaxtutor.core.diagnosis.causes.randomness.constant_key import constant_keys
from jaxtutor.core.diagnosis.causes.randomness.keys import Draw, key_reuse_error, typed_key
from jaxtutor.core.diagnosis.causes.randomness.leaves import key_for_each_leaf
from jaxtutor.core.diagnosis.causes.randomness.looped import key_for_each_iteration
from jaxtutor.core.diagnosis.causes.randomness.shared_key import (
    is_named_key,
    key_for_each,
    mask_for_each,
    shared_keys,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of
from jaxtutor.core.diagnosis.editing.parameters import pass_through
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised, read
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied, transformation
from jaxtutor.core.diagnosis.observed.keys import (
    RepeatedKey,
    equal_keys,
    key_again,
    key_captured,
    key_for_all,
    key_for_leaves,
    key_in_loop,
    key_kept,
    key_reuse,
    key_twice,
    same_seed,
    seed_for_rows,
)
from jaxtutor.core.diagnosis.reading.calls import calls_of, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import block_of, parameter_names


def split_repeated(found: RepeatedKey) -> Drafts:
    """Split a key in the place of repeating it."""
    draft = Draft(found.module)
    split = draft.name("jax.random.split")
    yield draft.replace(found.node, f"{split}({found.module.text(found.key)}, {found.count})")


def split_key(found: Draw | Finding) -> Drafts:
    """Split a key that is used twice before its first use."""
    call = found.node
    if not isinstance(call, ast.Call):
        return
    if isinstance(found, Finding) and not found.is_certain:
        return
    if isinstance(found, Finding):
        yield from key_for_each_leaf(found)
        yield from key_for_each_iteration(found)
        yield from mask_for_each(found)
        yield _map_keys(found.module, call)
        if transformation(found.module, call.func) is not None:
            return
    given = passed_arguments(call)
    for key in given:
        yield _another_element(found.module, key)
    keys = sorted((a for a in given if path_of(a) is not None), key=is_named_key, reverse=True)
    for key in keys[:2]:
        yield _split(found.module, call, key)


def _map_keys(module: Module, call: ast.Call) -> Draft | None:
    """Give each example of a mapped function a key: the function takes it, its calls split one."""
    function, key = module.function(call), path_of(call.args[0]) if call.args else None
    maps = [a for a in applied(module) if a.kind == "vmap" and a.function is function]
    outer = module.parents.get(maps[0].node) if len(maps) == 1 else None
    if not isinstance(function, ast.FunctionDef) or key is None or "." in key:
        return None
    is_global = key not in set(parameter_names(function)) and bool(
        module.assignments(key, module.tree)
    )
    if not is_global or not isinstance(outer, ast.Call) or not outer.args or len(maps) != 1:
        return None
    draft = Draft(module)
    count = f"len({module.text(outer.args[0])})"
    text = f"{draft.name('jax.random.split')}({key}, {count})"
    return pass_through(draft, function, key, text)


def _another_element(module: Module, key: ast.expr) -> Draft | None:
    """Write `keys[1]` for the second `keys[0]`, if no other line uses that key."""
    if not isinstance(key, ast.Subscript) or not isinstance(key.slice, ast.Constant):
        return None
    nodes = [n for n in module.nodes if isinstance(n, ast.Subscript)]
    same = [n.slice for n in nodes if path_of(n.value) == path_of(key.value)]
    used = [n.value for n in same if isinstance(n, ast.Constant)]
    free = [n for n in range(_key_count(module, key.value)) if n not in used]
    return (
        Draft(module).replace(key.slice, str(free[0])) if free and len(used) == len(same) else None
    )


def _key_count(module: Module, keys: ast.expr) -> int:
    """Return into how many keys `jax.random.split` makes what has this name; 0 where not known."""
    sizes = set[int]()
    for node in module.nodes:
        match node:
            case ast.Assign(
                targets=[target],
                value=ast.Call(func=func, args=[_, ast.Constant(value=int(size))]),
            ) if path_of(target) == path_of(keys):
                sizes |= {size} if module.dotted(func) == "jax.random.split" else set()
    return sizes.pop() if len(sizes) == 1 else 0


def _split(module: Module, call: ast.Call, key: ast.expr) -> Draft | None:
    name = module.text(key)
    statement = _where_bound(module, call, name.partition(".")[0])
    if statement is None:
        return None
    first = _first_use(module, statement, name)
    if first is None:
        return None
    use, before = first
    draft = Draft(module)
    sub = fresh_name(module, "subkey", "fresh_key")
    indent = indent_of(module, before)
    split = draft.name("jax.random.split")
    draft.replace(use, sub)
    return draft.add_lines(before.lineno, f"{indent}{name}, {sub} = {split}({name})")


def _where_bound(module: Module, node: ast.AST, name: str) -> ast.stmt | None:
    """Return the statement around a node, in the function that binds a name."""
    statement, function = module.statement(node), module.function(node)
    while function is not None and not module.assignments(name, function):
        if name in set(parameter_names(function)):
            break
        statement, function = module.statement(function), module.function(function)
    return statement


def _first_use(module: Module, fault: ast.stmt, name: str) -> tuple[ast.expr, ast.stmt] | None:
    """Find the first read of a key in the block of the fault, and its statement."""
    for statement in block_of(module, fault):
        reads = [n for n in ast.walk(statement) if _is_load_of(n, name)]
        if statement is not fault and _binds_name(statement, name):
            continue
        if reads and isinstance(reads[0], ast.expr):
            return reads[0], statement
        if statement is fault:
            return None
    return None


def _is_load_of(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and path_of(node) == name
    )


def _binds_name(statement: ast.stmt, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(path_of(t) == name for target in targets for t in ast.walk(target))


def raw_key(found: AtNode) -> Drafts:
    """Write key_data(key) for the numbers of a typed key, or make a raw key."""
    frame, module, node = found.frame, found.module, found.node
    base = node.value if isinstance(node, ast.Subscript | ast.Attribute) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = node.func.value
    for item in [base] if base is not None else _keys_in(frame, node):
        draft = Draft(module)
        yield draft.wrap(item, f"{draft.name('jax.random.key_data')}(", ")")
    draft = Draft(module)
    for call in calls_of(module, "jax.random.key"):
        draft.replace(call.func, draft.name("jax.random.PRNGKey"))
    yield draft


def _keys_in(frame: FrameContext, node: ast.AST) -> list[ast.expr]:
    return [
        n
        for n in ast.walk(node)
        if isinstance(n, ast.Name | ast.Attribute)
        and (fact := frame.fact(n)) is not None
        and (fact.kind == "typed_key" or "key<" in fact.detail)
    ]


def _is_shared_by_all(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another finding of the file says why rows or simulations share a key."""
    why = {
        "mapped": ("simulations",),
        "seed": ("mapped", "simulations", "constant", "equal", "seed_as_default"),
        "captured": ("mapped", "constant", "seed", "seed_as_default", "loop", "layers"),
    }
    forms = {it.form for _, it in others if it.module.file == found.module.file}
    return not forms.isdisjoint(why.get(found.form, ()))


RULES = (
    Rule("prng-key-reuse", raised(key_reuse_error), split_key),
    Rule("typed-key-as-raw-array", raised(typed_key), raw_key),
    Rule(
        "prng-key-reuse",
        observed(
            (KeyReuse, key_reuse),
            (KeyAgain, key_again),
            (KeyKept, key_kept),
            (KeyCaptured, key_captured),
            (KeyTwice, key_twice),
            (KeyForAll, key_for_all),
            (KeyForLeaves, key_for_leaves),
            (EqualKeys, equal_keys),
            (KeyInLoop, key_in_loop),
            (SameSeed, same_seed),
            (SeedForRows, seed_for_rows),
        ),
        by_match(split_key, split_repeated),
        is_echo=_is_shared_by_all,
    ),
    Rule("prng-key-reuse", read(constant_keys, shared_keys), by_match(split_key, key_for_each)),
)
