"""Fixes calls of Optax, NumPyro and Haiku."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.libraries.haiku.inside_transforms import (
    HAIKU_HAS,
    InsideHaiku,
    KeyBeforeState,
    WithoutState,
    haiku_state,
    haiku_state_missing,
    inside_haiku,
)
from jaxtutor.core.diagnosis.causes.libraries.keys import (
    KeyElsewhere,
    ModelCalled,
    key_not_passed,
)
from jaxtutor.core.diagnosis.causes.libraries.library_arguments import (
    ParamsMissing,
    UnsetField,
    UpdateCall,
    name_twice,
    params_missing,
    swapped_arguments,
    unset_field,
)
from jaxtutor.core.diagnosis.causes.python.library_fix import unused_keys
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, fresh_name
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.loops import loop_around
from jaxtutor.core.diagnosis.reading.names import last_part


def right_order(found: UpdateCall) -> Drafts:
    """Put the state second, where it takes the place of what stood there."""
    if found.state is None:
        if found.name:
            yield Draft(found.module).certain().before(found.node.args[1], f"{found.name}, ")
        return
    args, module = found.node.args, found.module
    first, second = args[1], args[found.state]
    draft = Draft(module).certain().replace(first, module.text(second))
    yield draft.replace(second, module.text(first))


def pass_params(found: ParamsMissing) -> Drafts:
    """Pass the parameters that the optimizer was initialised with."""
    if found.params:
        yield add_argument(Draft(found.module).certain(), found.node, found.params)


def insert_key(found: AtFrame) -> Drafts:
    """Insert a key at the position where the library expects it."""
    call = found.call
    if call is None or found.form == "handler":
        return
    if found.form in ("haiku", "haiku_state"):
        before = 1 if found.form == "haiku" else 2
        if len(call.args) >= before:
            yield Draft(found.module).certain().after(call.args[before - 1], ", None")
        return
    draft, unused = Draft(found.module), unused_keys(found.frame)
    key = unused[0] if len(unused) == 1 else f"{draft.name('jax.random.PRNGKey')}(0)"
    is_once = loop_around(found.module, call) is None
    if is_once and (found.frame.function is None or len(unused) == 1):
        draft.certain()  # it draws once, and each key is as good as another
    if call.args:
        yield draft.before(call.args[0], f"{key}, ")
    else:
        yield add_argument(draft, call, f"{_name_of_key(found)}={key}")


def _seed_model(found: ModelCalled) -> Drafts:
    """Call the model under the handler that gives a key to each of its sites."""
    module = found.caller.module
    draft = Draft(module)
    seed, key = draft.name("numpyro.handlers.seed"), draft.name("jax.random.PRNGKey")
    if found.caller.function is None and loop_around(module, found.model) is None:
        draft.certain()  # it draws once, and each key is as good as another
    yield draft.wrap(found.model.func, f"{seed}(", f", {key}(0))")


def _move_key(found: KeyElsewhere) -> Drafts:
    """Move a key to the position where the library expects it."""
    (key, expected), module = (
        (found.node.args[n] for n in (found.key, found.expected)),
        found.module,
    )
    draft = Draft(module).certain().replace(expected, module.text(key))
    yield draft.replace(key, module.text(expected))


def _name_of_key(found: AtFrame) -> str:
    names = ("rng_key", "key")
    return next((n for n in names if f"'{n}'" in found.context.message), "rng_key")


def set_field(found: UnsetField) -> Drafts:
    """Set the attribute where a plain variable of its name is assigned."""
    if found.module_of is not None and found.local is not None:
        yield Draft(found.module_of).certain().before(found.local, "self.")


def pass_state(found: AtCall) -> Drafts:
    """Take the state from init, and pass it after the parameters; before the key."""
    if isinstance(found, KeyBeforeState):
        key, state = found.node.args[1:3]
        draft = Draft(found.module).certain().replace(key, found.module.text(state))
        yield draft.replace(state, found.module.text(key))
        return
    made = found.made if isinstance(found, WithoutState) else None
    if made is None or not isinstance(made.targets[0], ast.Name):
        return
    if found.form == "gradient":
        return  # the loss needs the state as another argument
    draft = Draft(found.module).certain().after(made.targets[0], ", state")
    draft.after(found.node.args[0], ", state")
    statement = found.module.parents.get(found.node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(target, ast.Name):
        draft.after(target, ", state")
    yield draft


def haiku_version(found: InsideHaiku) -> Drafts:
    """Write Haiku's transformation in the place of JAX's."""
    module, node = found.module_of, found.node
    name = last_part(module.dotted(node))
    haiku = next((a for a, p in module.imports.items() if p == "haiku"), None)
    if haiku is not None and name in HAIKU_HAS:
        yield Draft(module).certain().replace(node, f"{haiku}.{name}")


def count_rounds(found: AtFrame) -> Drafts:
    """Add the number of the round to a name that a loop gives several times."""
    call, module = found.call, found.module
    name = _literal(call, found.facts["name"])
    around = [*module.ancestors(call)] if call is not None else []
    loops = [n for n in around if isinstance(n, ast.For | ast.ListComp)]
    if name is None or not loops or module.function(loops[0]) is not module.function(name):
        return
    loop = loops[0] if isinstance(loops[0], ast.For) else loops[0].generators[0]
    draft, number = Draft(module).certain(), _round_counter(loop)
    if not number:
        number = fresh_name(module, "i")
        draft.before(loop.target, f"{number}, ").wrap(loop.iter, "enumerate(", ")")
    elif number == "_":
        number = fresh_name(module, "i")
        draft.replace(loop.target, number)
    yield draft.replace(name, f'f"{found.facts["name"]}_{{{number}}}"')


def _literal(call: ast.Call | None, text: str) -> ast.Constant | None:
    """Find the argument of a call that is a text."""
    given = passed_arguments(call) if call is not None else []
    same = [n for n in given if isinstance(n, ast.Constant) and n.value == text]
    return same[0] if len(same) == 1 else None


def _round_counter(loop: ast.For | ast.comprehension) -> str:
    """Return the name that counts the rounds of a loop, if it has one."""
    called = path_of(loop.iter.func) if isinstance(loop.iter, ast.Call) else ""
    if called == "range" and isinstance(loop.target, ast.Name):
        return loop.target.id
    if called == "enumerate" and isinstance(loop.target, ast.Tuple):
        return path_of(loop.target.elts[0]) or ""
    return ""


RULES = (
    Rule("optax-arguments-swapped", raised(swapped_arguments), right_order),
    Rule("optax-params-missing", raised(params_missing), pass_params),
    Rule("key-not-passed", raised(key_not_passed), by_match(insert_key, _seed_model, _move_key)),
    Rule("haiku-state-untransformed", raised(haiku_state)),
    Rule("haiku-state-not-passed", raised(haiku_state_missing), pass_state),
    Rule("haiku-in-jax-transform", raised(inside_haiku), haiku_version),
    Rule("name-used-twice", raised(name_twice), count_rounds),
    Rule("field-not-set", raised(unset_field), set_field),
)
