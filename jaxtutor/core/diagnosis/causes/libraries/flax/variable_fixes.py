"""Fixes calls of Flax: collections, keys, `mutable`, and lists of modules."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.flax.mapped_keys import MappedCall, split_for_examples
from jaxtutor.core.diagnosis.causes.libraries.flax.new_statistics import keep_statistics
from jaxtutor.core.diagnosis.causes.libraries.flax.variables import (
    AtApply,
    ForeignObject,
    ListOfModules,
    MergedObject,
    WithoutKey,
    foreign_trace,
    given_to,
    immutable_collection,
    missing_collection,
    module_in_transform,
    params_not_wrapped,
    plain_list,
    saved_otherwise,
    submodule_outside,
    without_key,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.library_calls import is_key
from jaxtutor.core.diagnosis.reading.loops import loop_around
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_none


def pass_collection(found: AtApply) -> Drafts:
    """Pass the collection beside the parameters, from where the variables are in sight."""
    given = found.call.args[0] if found.call.args else None
    if not isinstance(given, ast.Dict) or len(given.values) != 1:
        return
    module, draft = found.frame.module, Draft(found.frame.module)
    source = _variables_of(found, given.values[0])
    if source is not None:
        extra = f', "{found.name}": {source}["{found.name}"]'
        yield draft.certain().after(given.values[0], extra)
    run = path_of(found.call.func) or ""
    for holder in _states(module, found.name):
        draft = Draft(module).after(given.values[0], f', "{found.name}": {holder}.{found.name}')
        is_same = f"{holder}.params" == path_of(given.values[0]) or run == f"{holder}.apply_fn"
        yield draft.certain() if is_same else draft


def _variables_of(found: AtApply, params: ast.expr) -> str | None:
    """Write the variables whose part the parameters are: `variables` of `variables["params"]`."""
    for value in given_to(found.context, found.frame, params):
        if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
            whole = value.value
            return found.frame.module.text(whole) if isinstance(whole, ast.Name) else None
    return None


def _states(module: Module, name: str) -> Iterator[str]:
    """List what the file reads the collection from: `state` of `state.batch_stats`."""
    read = (n for n in module.nodes if isinstance(n, ast.Attribute) and n.attr == name)
    yield from dict.fromkeys(path for n in read if (path := path_of(n.value)) is not None)


def wrap_params(found: AtApply) -> Drafts:
    """Put the parameters in a dict under "params", or take them out of the second one."""
    given = found.call.args[0]
    draft = Draft(found.frame.module)
    if found.form != "twice":
        yield draft.certain().wrap(given, '{"params": ', "}")
    elif isinstance(given, ast.Dict) and len(given.values) == 1:
        yield draft.certain().replace(given, found.frame.module.text(given.values[0]))
    else:
        yield draft.certain().after(given, '["params"]')


def allow_update(found: AtApply) -> Drafts:
    """Let apply change the collection, and take the pair that it returns then."""
    module, call = found.frame.module, found.call
    if keyword_of(call, "mutable") is not None:
        return
    yield keep_statistics(found)
    statement = module.parents.get(call)
    draft = add_argument(Draft(module), call, f'mutable=["{found.name}"]')
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        yield draft.after(statement.targets[0], ", updates")
    else:
        yield draft.after(call, "[0]")


# ---------------------------------------------------------------- random streams


def pass_key(found: WithoutKey) -> Drafts:
    """Pass a key that is in sight to the call that runs the model."""
    call, frame = found.call, found.frame
    if call is None:
        return
    if found.made is not None:
        yield _pass_streams(frame.module, found.made)
        return
    if found.batch is not None:
        yield from _keys_for_examples(found, found.batch)
        return
    draft = Draft(frame.module)
    for key in dict.fromkeys(_keys(found)):
        if _is_unread(found, key):
            draft.certain()
        if found.form == "equinox":
            yield add_argument(draft, call, f"{found.keyword}={key}")
        elif found.form == "haiku":
            yield _for_none(draft, call, key)
        elif found.form == "":
            yield _with_stream(draft, found, call, key)
        draft = Draft(frame.module)
    if found.form == "":
        yield _with_stream(draft, found, call, f"{draft.name('jax.random.key')}(0)")
    elif found.form == "haiku":
        if frame.function is None and loop_around(frame.module, call) is None:
            draft.certain()  # it draws once, and each key is as good as another
        yield _for_none(draft, call, f"{draft.name('jax.random.PRNGKey')}(0)")


def _pass_streams(module: Module, made: ast.Call) -> Draft | None:
    """Pass the streams of the function around it to a layer of NNX that is made."""
    has_streams = "rngs" in set(parameter_names(module.function(made)))
    return add_argument(Draft(module).certain(), made, "rngs=rngs") if has_streams else None


def _keys_for_examples(found: WithoutKey, batch: MappedCall) -> Drafts:
    """Split a key that is in sight into one for each example of a mapped model."""
    if found.call is None:
        return
    for key in dict.fromkeys(_keys(found)):
        draft = split_for_examples(batch, found.call, found.keyword, key)
        if draft is not None and _is_unread(found, key):
            draft.certain()
        yield draft


def _for_none(draft: Draft, call: ast.Call, key: str) -> Draft | None:
    """Pass a key where a call of `init` or `apply` passes None."""
    given = [*call.args[:3], *(k.value for k in call.keywords if k.arg == "rng")]
    empty = [a for a in given if is_none(a)]
    return draft.replace(empty[0], key) if len(empty) == 1 else None


def _with_stream(draft: Draft, found: WithoutKey, call: ast.Call, key: str) -> Draft | None:
    rngs = keyword_of(call, "rngs")
    if rngs is None:
        return add_argument(draft, call, f'rngs={{"{found.name}": {key}}}')
    if isinstance(rngs.value, ast.Dict) and rngs.value.values:
        misspelt = [k for k in rngs.value.keys if _is_near(k, found.name)]
        if len(misspelt) == 1 and misspelt[0] is not None:
            return draft.certain().replace(misspelt[0], f'"{found.name}"')
        only = rngs.value.keys[0] if len(rngs.value.keys) == 1 else None
        if isinstance(only, ast.Constant) and only.value != "params":
            return draft.certain().replace(only, f'"{found.name}"')
        return draft.after(rngs.value.values[-1], f', "{found.name}": {key}')
    return None


def _is_near(key: ast.expr | None, name: str) -> bool:
    """Return whether a key is a text that resembles the name of a stream."""
    text = key.value if isinstance(key, ast.Constant) else None
    return isinstance(text, str) and bool(difflib.get_close_matches(text, [name], 1, 0.75))


def _keys(found: WithoutKey) -> list[str]:
    """List the names of keys in sight: of this function, and of the functions around it."""
    frame, given = found.frame, set(parameter_names(found.frame.function))
    known = [n for n, fact in frame.names.items() if "." not in n and is_key(fact.detail)]
    own = [n for n in known if n in given or frame.function is None]
    around = set(frame.module.ancestors(found.call)) if found.call is not None else set()
    outer = (f for f in found.context.frames if f is not frame and f.function in around)
    return list(dict.fromkeys([*own, *(n for f in outer for n in _key_parameters(f))]))


def _key_parameters(frame: FrameContext) -> list[str]:
    given = parameter_names(frame.function)
    facts = [(n, frame.fact(n)) for n in given]
    return [n for n, fact in facts if fact is not None and is_key(fact.detail)]


def _is_unread(found: WithoutKey, key: str) -> bool:
    """Return whether a function around the call gets a key that nothing reads yet."""
    around = found.frame.module.ancestors(found.call) if found.call is not None else iter(())
    functions = [f for f in around if isinstance(f, FunctionNode)]
    holder = next((f for f in functions if key in set(parameter_names(f))), None)
    return holder is not None and not any(
        isinstance(n, ast.Name) and n.id == key and isinstance(n.ctx, ast.Load)
        for n in ast.walk(holder)
    )


# ---------------------------------------------------------------- modules


def _pass_object(found: ForeignObject) -> Drafts:
    """Pass an object of NNX to the jitted function that reads it, and let `nnx.jit` update it."""
    function, module = found.frame.function, found.module
    nnx = next((a for a, p in module.imports.items() if p == "flax.nnx"), None)
    if nnx is None or not found.name.isidentifier() or not isinstance(function, ast.FunctionDef):
        return
    jits = [a for a in applied(module) if a.kind == "jit" and a.function is function]
    uses = [n for n in module.nodes if getattr(n, "id", "") == function.name]
    calls = [module.parents.get(n) for n in uses]
    is_simple = len(jits) == 1 and jits[0].is_decorator and jits[0].call is None
    if not is_simple or not function.args.args or not _are_calls(uses, calls):
        return
    draft = Draft(module).replace(jits[0].node, f"{nnx}.jit")
    draft.before(function.args.args[0], f"{found.name}, ")
    for call in calls:
        if isinstance(call, ast.Call):
            draft.before(call.args[0], f"{found.name}, ")
    yield draft


def _copy_merged(found: MergedObject) -> Drafts:
    """Let `nnx.merge` make variables of its own, which belong to the trace."""
    yield add_argument(Draft(found.module).certain(), found.made, "copy=True")


def _are_calls(uses: list[ast.AST], calls: list[ast.AST | None]) -> bool:
    """Return whether each use of a name calls it, with an argument by position."""
    pairs = zip(uses, calls, strict=True)
    return all(isinstance(c, ast.Call) and c.func is u and c.args for u, c in pairs)


def mark_compact(found: AtFrame) -> Drafts:
    """Mark the method that makes the layer."""
    function = found.frame.function
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return
    module, draft = found.module, Draft(found.module)
    indent = " " * function.col_offset
    linen = next((a for a, p in module.imports.items() if p == "flax.linen"), None)
    if linen is not None:
        yield draft.certain().add_lines(function.lineno, f"{indent}@{linen}.compact")


def wrap_list(found: ListOfModules) -> Drafts:
    """Make the list or dict one of NNX, or pass the layers of `nnx.Sequential` one by one."""
    nnx = next((a for a, p in found.module.imports.items() if p == "flax.nnx"), None)
    kind = last_part(found.facts["container"])
    if found.form == "spread" and found.value is not None:
        yield Draft(found.module).certain().replace(found.value, found.facts["argument"])
    elif found.value is not None and nnx is not None:
        yield Draft(found.module).certain().wrap(found.value, f"{nnx}.{kind}(", ")")


def flax_scan(found: AtFrame) -> Drafts:
    """Scan a module with `nn.scan`, so that all steps share its parameters."""
    call = found.at if isinstance(found.at, ast.Call) else None
    if call is None or found.frame.callee(call) != "jax.lax.scan" or len(call.args) != 3:
        return
    if call.keywords or not isinstance(call.args[0], ast.Name):
        return
    draft, body = Draft(found.module).certain(), found.module.function_named(call.args[0].id)
    text = "lambda module, carry, x: module(carry, x)"
    if body is not None:
        owner = _module_read(found.module, body)
        if not owner:
            return
        draft.before(body.args.args[0], f"{owner}, ").replace(call.args[0], owner)
        text = body.name
    options = 'variable_broadcast="params", split_rngs={"params": False}'
    yield draft.replace(call.func, f"{draft.name('flax.linen.scan')}({text}, {options})")


def _module_read(module: Module, body: Definition) -> str:
    """Return the one module that a nested function calls and does not get; empty if unclear."""
    given = set(parameter_names(body)) | {
        name for node in own_nodes(body) for name in bound_names(node)
    }
    called = [n.func for n in own_nodes(body) if isinstance(n, ast.Call)]
    owners = {(path_of(func) or "").partition(".")[0] for func in called if path_of(func)}
    outer = module.function(body)
    local = {n for node in own_nodes(outer) for n in bound_names(node)} if outer else set()
    owners &= (local | {"self"}) - given
    is_plain = len(body.args.args) == 2 and len(parameters(body)) == 2
    return owners.pop() if len(owners) == 1 and is_plain else ""


def read_whole(found: AtFrame) -> Drafts:
    """Fill the object of which the whole was saved, and take the part out of it.

    The program saves a name with `to_bytes`, and reads into an attribute of such an object.
    """
    call, module = found.call, found.module
    target = call.args[0] if call is not None and call.args else None
    saved = [
        path_of(node.args[0])
        for other in found.context.modules.values()
        for node in other.calls
        if (path_of(node.func) or "").endswith("to_bytes")
        if node.args
    ]
    if call is None or not isinstance(target, ast.Attribute) or len(saved) != 1:
        return
    if (path_of(call.func) or "").endswith("from_bytes") and "." not in (saved[0] or "."):
        draft = Draft(module).certain().replace(target, module.text(target.value))
        yield draft.after(call, f".{target.attr}")


RULES = (
    Rule("linen-params-not-wrapped", raised(params_not_wrapped), wrap_params),
    Rule("linen-missing-collection", raised(missing_collection), pass_collection),
    Rule("linen-immutable-collection", raised(immutable_collection), allow_update),
    Rule("linen-submodule-outside-compact", raised(submodule_outside), mark_compact),
    Rule("linen-module-in-jax-transform", raised(module_in_transform), flax_scan),
    Rule("checkpoint-structure-mismatch", raised(saved_otherwise), read_whole),
    Rule("layer-without-key", raised(without_key), pass_key),
    Rule("nnx-foreign-trace", raised(foreign_trace), by_match(_pass_object, _copy_merged)),
    Rule("nnx-list-of-modules", raised(plain_list), wrap_list),
)
