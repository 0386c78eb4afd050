"""Matches and fixes uses of linen's transformations, and of `remat`, that lack an option."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, InContext, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import library_call
from jaxtutor.core.diagnosis.reading.values import is_none

# ---------------------------------------------------------------- keys

_MAPS = frozenset(
    f"flax.linen.{name}" for name in ("vmap", "scan", "transforms.vmap", "transforms.scan")
)
_STREAM = re.compile(r'needs PRNG for "(\w+)"')


class WithoutSplit(InContext, frozen=True, kw_only=True):
    """A call of `nn.vmap` or `nn.scan` that does not hand on the keys of a stream."""

    module: Module
    call: ast.Call
    stream: str


def stream_not_split(context: FailureContext) -> WithoutSplit | None:
    """A layer inside a lifted transformation has no key, because that passes none on."""
    said = _STREAM.search(context.message)
    if said is None or not _is_given(context, said[1]):
        return None
    found = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if _transforms(module, node) and _lacks(node, said[1])
    ]
    if len(found) != 1:
        return None
    module, call = found[0]
    facts = {
        "name": said[1],
        "function": module.text(_partial_function(module, call)),
        "detail": f'split_rngs={{"{said[1]}": {_is_split(call, said[1])}}}',
    }
    place = module.location(call)
    return WithoutSplit(place, facts, context=context, module=module, call=call, stream=said[1])


def _transforms(module: Module, call: ast.Call) -> bool:
    """Return whether a call is `nn.vmap(…)`, or `partial(nn.vmap, …)`."""
    return module.dotted(_partial_function(module, call)) in _MAPS


def _partial_function(module: Module, call: ast.Call) -> ast.expr:
    is_partial = module.dotted(call.func) == "functools.partial" and call.args
    return call.args[0] if is_partial else call.func


def _is_given(context: FailureContext, stream: str) -> bool:
    """Return whether the call that runs the model passes a key for a stream."""
    if stream == "params":
        return library_call(context, "init", "init_with_output") is not None
    found = library_call(context, "apply", "apply_fn", "init")
    given = keyword_of(found[1], "rngs") if found is not None else None
    keys = given.value.keys if given is not None and isinstance(given.value, ast.Dict) else []
    return any(isinstance(key, ast.Constant) and key.value == stream for key in keys)


def _lacks(call: ast.Call, stream: str) -> bool:
    given = keyword_of(call, "split_rngs")
    keys = given.value.keys if given is not None and isinstance(given.value, ast.Dict) else []
    return not any(isinstance(key, ast.Constant) and key.value == stream for key in keys)


def _is_split(call: ast.Call, stream: str) -> bool:
    """Return whether each round needs its own key: not for parameters that the rounds share."""
    shared = keyword_of(call, "variable_broadcast")
    read = (
        [n.value for n in ast.walk(shared.value) if isinstance(n, ast.Constant)] if shared else []
    )
    return stream not in read


def split_stream(found: WithoutSplit) -> Drafts:
    """Hand the stream on."""
    draft, given = Draft(found.module).certain(), keyword_of(found.call, "split_rngs")
    if given is None:
        yield add_argument(draft, found.call, found.facts["detail"])
    elif isinstance(given.value, ast.Dict) and given.value.values:
        entry = f'"{found.stream}": {_is_split(found.call, found.stream)}'
        yield draft.after(given.value.values[-1], f", {entry}")


# ---------------------------------------------------------------- variables


class WithoutVariables(InContext, frozen=True, kw_only=True):
    """A call of `nn.vmap` or `nn.scan` that does not hand on a collection of variables."""

    module: Module
    call: ast.Call
    collection: str


_UNSEEN = re.compile(
    r'from collection "(?P<read>\w+)" in "[^"]*/(?:\w+\()*(?P<reader>vmap|scan)\('
    r'|in "[^"]*/(?:\w+\()*(?P<writer>vmap|scan)\([^"]*" because collection "(?P<written>\w+)"'
)


def variables_not_lifted(context: FailureContext) -> WithoutVariables | None:
    """A layer inside a lifted transformation finds no variables, because that hands none on."""
    said = _UNSEEN.search(context.message)
    if said is None:
        return None
    kind, collection = said["reader"] or said["writer"], said["read"] or said["written"]
    found = [
        (module, call)
        for module, call in lifting(context, kind)
        if collection not in _handed_on(call) and all(k.arg for k in call.keywords)
    ]
    if len(found) != 1:
        return None
    module, call = found[0]
    options = _variable_options(module, call, collection)[0]
    facts = {
        "name": collection,
        "function": module.text(_partial_function(module, call)),
        "detail": ", ".join(options.values()),
    }
    form = "" if collection == "params" else "state"
    place = module.location(call)
    return WithoutVariables(
        place, facts, form, context=context, module=module, call=call, collection=collection
    )


def lifting(context: FailureContext, kind: str) -> Iterator[tuple[Module, ast.Call]]:
    """List the calls of `nn.vmap`, or of `nn.scan`, in the learner's files."""
    for module in context.modules.values():
        for node in module.calls:
            if not _transforms(module, node):
                continue
            if (module.dotted(_partial_function(module, node)) or "").endswith(f".{kind}"):
                yield module, node


def _handed_on(call: ast.Call) -> set[str]:
    """List the texts in the options of a lifted transformation that hand on variables."""
    names = ("variable_axes", "variable_broadcast", "variable_carry")
    given = [option.value for name in names if (option := keyword_of(call, name)) is not None]
    constants = (n for value in given for n in ast.walk(value) if isinstance(n, ast.Constant))
    return {n.value for n in constants if isinstance(n.value, str)}


def _variable_options(module: Module, call: ast.Call, collection: str) -> list[dict[str, str]]:
    """Write the options that hand on a collection, the likeliest first."""
    own = {
        "variable_axes": f'variable_axes={{"{collection}": 0}}',
        "split_rngs": f'split_rngs={{"{collection}": True}}',
    }
    shared = {
        "variable_broadcast": f'variable_broadcast="{collection}"',
        "split_rngs": f'split_rngs={{"{collection}": False}}',
    }
    is_map = (module.dotted(_partial_function(module, call)) or "").endswith("vmap")
    if is_map:
        shared = {"variable_axes": f'variable_axes={{"{collection}": None}}'} | {
            "split_rngs": shared["split_rngs"]
        }
    if collection != "params":
        carried = {"variable_carry": f'variable_carry="{collection}"'}
        axes = {"variable_axes": own["variable_axes"]}
        has_own = is_map or keyword_of(call, "variable_axes") is not None
        return [axes] if has_own else [carried]
    if is_map:
        return [own] if _is_ensemble(call) else [shared, own]
    if _is_recurrent(module, call):
        return [shared]
    return [own, shared] if keyword_of(call, "length") is not None else [shared, own]


def _is_ensemble(call: ast.Call) -> bool:
    """Return whether a `vmap` gives every round the same input: only its variables may differ."""
    axes = keyword_of(call, "in_axes")
    value = axes.value if axes is not None else None
    return is_none(value)


def _is_recurrent(module: Module, call: ast.Call) -> bool:
    """Return whether a scan goes over a recurrent cell of linen, or a module that makes one."""
    given = call.args[-1] if call.args else None  # after the transformation, in a `partial`
    owner = next((n for n in module.nodes if getattr(n, "name", "") == path_of(given)), given)
    parts = ast.walk(owner) if owner is not None else ()
    names = (module.dotted(n) or "" for n in parts if isinstance(n, ast.Attribute | ast.Name))
    return any(name.startswith("flax.linen.") and name.endswith("Cell") for name in names)


def hand_on_variables(found: WithoutVariables) -> Drafts:
    """Hand the collection on, and split its keys or share them."""
    call, choices = found.call, _variable_options(found.module, found.call, found.collection)
    is_split = _splits(call, found.collection)
    if is_split is not None:  # keys of their own are for parameters of their own
        choices = [c for c in choices if f'{found.collection}": {is_split}' in c["split_rngs"]]
    for options in choices:
        draft = Draft(found.module)
        is_only = _is_ensemble(call) or _is_recurrent(found.module, call) or is_split is not None
        if is_only or found.collection != "params":
            draft.certain()
        for name, text in options.items():
            given = keyword_of(call, name)
            if given is None:
                add_argument(draft, call, text)
            elif isinstance(given.value, ast.Dict) and not _has_key(given.value, found.collection):
                entry = text.partition("={")[2].rstrip("}")
                _add_entry(draft, given.value, entry)
        yield draft


def _splits(call: ast.Call, collection: str) -> bool | None:
    """Return whether a call splits the keys of the parameters; None where it does not say."""
    given = keyword_of(call, "split_rngs")
    if collection != "params" or given is None or not isinstance(given.value, ast.Dict):
        return None
    for key, value in zip(given.value.keys, given.value.values, strict=True):
        if getattr(key, "value", None) == collection and isinstance(value, ast.Constant):
            return bool(value.value)
    return None


def _has_key(given: ast.Dict, name: str) -> bool:
    return any(isinstance(key, ast.Constant) and key.value == name for key in given.keys)


def _add_entry(draft: Draft, given: ast.Dict, entry: str) -> None:
    if given.values:
        draft.after(given.values[-1], f", {entry}")
    else:
        draft.replace(given, f"{{{entry}}}")


# ---------------------------------------------------------------- the number of rounds


class WithoutSize(InContext, frozen=True, kw_only=True):
    """A call of `nn.vmap` or `nn.scan` that cannot tell how many rounds there are.

    `size` is the only whole number among the settings that nothing reads, as the call would read
    it; `is_own` if it is a field of the module itself.
    """

    module: Module
    call: ast.Call
    size: str
    is_own: bool


_UNSIZED = re.compile(r"^(length|axis_size) should be specified manually")


def number_unknown(context: FailureContext) -> WithoutSize | None:
    """A lifted transformation maps over no argument, and is given no number of rounds."""
    said = _UNSIZED.search(context.message)
    if said is None:
        return None
    option = said[1]
    kind = "scan" if option == "length" else "vmap"
    found = [f for f in lifting(context, kind) if keyword_of(f[1], option) is None]
    if len(found) != 1:
        return None
    module, call = found[0]
    sizes = list(_unread_sizes(module, call))
    size, is_own = sizes[0] if len(sizes) == 1 else ("", False)
    facts = {
        "name": option,
        "function": module.text(_partial_function(module, call)),
        "argument": f"{option}={size or '…'}",
    }
    form = "scan" if kind == "scan" else ""
    place = module.location(call)
    return WithoutSize(
        place, facts, form, context=context, module=module, call=call, size=size, is_own=is_own
    )


def _unread_sizes(module: Module, call: ast.Call) -> Iterator[tuple[str, bool]]:
    """Yield the fields of whole numbers that nothing in the file reads, as `self.` has them."""
    owner = next((n for n in module.ancestors(call) if isinstance(n, ast.ClassDef)), None)
    classes = {n.name: n for n in module.nodes if isinstance(n, ast.ClassDef)}
    read = {n.attr for n in module.nodes if isinstance(n, ast.Attribute)}
    for name, kind in _typed_fields(owner):
        if kind == "int" and name not in read:
            yield f"self.{name}", True
        for inner, inner_kind in _typed_fields(classes.get(kind)):
            if inner_kind == "int" and inner not in read:
                yield f"self.{name}.{inner}", False


def _typed_fields(owner: ast.ClassDef | None) -> Iterator[tuple[str, str]]:
    """List the annotated fields of a class with their types."""
    for node in owner.body if owner is not None else ():
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id=kind)):
                yield name, kind


def state_number(found: WithoutSize) -> Drafts:
    """Pass the number of rounds."""
    if found.size:
        draft = Draft(found.module)
        if found.is_own:
            draft.certain()
        yield add_argument(draft, found.call, found.facts["argument"])


# ---------------------------------------------------------------- checkpoint

_REMATS = frozenset(
    """flax.linen.remat flax.linen.checkpoint flax.nnx.remat jax.checkpoint jax.remat
    jax.ad_checkpoint.checkpoint""".split()
)


class TracedByRemat(InContext, frozen=True, kw_only=True):
    """A setting that `remat` traced: `node` applies it, and `call` passes the setting."""

    module: Module
    node: ast.expr
    position: int
    keyword: ast.keyword | None


class BeyondPositions(AtCall, frozen=True, kw_only=True):
    """A call that passes no argument at a static position; `keyword` is the one it may be."""

    keyword: ast.keyword | None


def not_static_in_remat(context: FailureContext) -> TracedByRemat | BeyondPositions | None:
    """A function under `remat` needs an argument to be static, which is not."""
    return _beyond_positions(context) or _setting_in_remat(context)


_BEYOND = re.compile(
    r"`static_argnums` argument .*but got \(([-\d, ]+)\), while `len\(args\)` = (\d+)"
)


def _beyond_positions(context: FailureContext) -> BeyondPositions | None:
    """Match a call with fewer arguments by position than `static_argnums` counts."""
    said, found = _BEYOND.search(" ".join(context.message.split())), at_call(context)
    if said is None or found is None:
        return None
    passed = int(said[2])
    beyond = [n for text in said[1].split(",") if text.strip() and (n := int(text)) >= passed]
    named = [keyword for keyword in found.node.keywords if keyword.arg is not None]
    keyword = named[0] if beyond == [passed] and len(named) == 1 else None
    facts = {
        "detail": ", ".join(map(str, beyond)),
        "container": str(passed),
        "argument": (keyword.arg or "") if keyword is not None else "",
    }
    return BeyondPositions(
        None,
        facts,
        "by_keyword" if keyword is not None else "left_out",
        context=context,
        node=found.node,
        keyword=keyword,
    )


def _setting_in_remat(context: FailureContext) -> TracedByRemat | None:
    """A function under `remat` tests an argument, which `remat` traces unless it is static."""
    if "/ remat" not in context.message and "checkpoint" not in context.message:
        return None
    for index in range(len(context.frames) - 1, 0, -1):
        frame = context.frames[index]
        applied = _remat_site(frame)
        given = parameter_names(frame.function)
        name = _setting(context, frame, given)
        if applied is None or not name:
            continue
        module = frame.module
        keyword = _keyword(context.frames[index - 1], name)
        facts = {
            "argument": name,
            "name": module.text(applied.func if isinstance(applied, ast.Call) else applied),
            "function": frame.record.function,
            "detail": f"static_argnums=({given.index(name)},)",
        }
        return TracedByRemat(
            module.location(applied),
            facts,
            "keyword" if keyword is not None else "",
            context=context,
            module=module,
            node=applied,
            position=given.index(name),
            keyword=keyword,
        )
    return None


def _setting(context: FailureContext, frame: FrameContext, given: list[str]) -> str:
    """Name the argument of a frame's function that is one traced scalar, if there is only one."""
    facts = [fact for name in given if (fact := frame.fact(name)) is not None]
    named = [f.name for f in facts if f.kind == "tracer" and f.detail.lstrip("~") == "bool[]"]
    if context.argument in named:
        return context.argument or ""
    return named[0] if len(named) == 1 else ""


def _remat_site(frame: FrameContext) -> ast.expr | None:
    """Find where `remat` is applied to a frame's function, or to the class that it belongs to."""
    function, module = frame.function, frame.module
    owner = module.parents.get(function) if function is not None else None
    holder = owner if isinstance(owner, ast.ClassDef) else None
    names = {getattr(function, "name", ""), holder.name if holder is not None else ""} - {""}
    found = [*_decorating(module, function), *_decorating(module, holder)]
    for node in module.nodes:
        is_it = isinstance(node, ast.Call) and module.dotted(node.func) in _REMATS
        if is_it and isinstance(node, ast.Call) and getattr(node.args[0], "id", "") in names:
            found.append(node)
    return found[0] if len(found) == 1 else None


def _decorating(module: Module, node: FunctionNode | ast.ClassDef | None) -> Iterator[ast.expr]:
    for decorator in getattr(node, "decorator_list", []):
        if module.dotted(decorator) in _REMATS:
            yield decorator


def _keyword(caller: FrameContext, name: str) -> ast.keyword | None:
    """Return the keyword by which a call passes an argument: only those by position are static."""
    return keyword_of(caller.node, name) if isinstance(caller.node, ast.Call) else None


def pass_by_position(found: BeyondPositions) -> Drafts:
    """Pass an argument by position that the call passes by keyword."""
    keyword = found.keyword
    if keyword is not None:
        text = found.module.text(keyword.value)
        yield Draft(found.module).certain().replace(keyword, text)


def name_in_remat(found: TracedByRemat) -> Drafts:
    """Make the setting static, and pass it by position."""
    draft, module = Draft(found.module).certain(), found.module
    if isinstance(found.node, ast.Call):
        add_argument(draft, found.node, found.facts["detail"])
    else:
        partial = draft.name("functools.partial")
        draft.replace(found.node, f"{partial}({module.text(found.node)}, {found.facts['detail']})")
    if found.keyword is not None:
        draft.replace(found.keyword, module.text(found.keyword.value))
    yield draft


RULES = (
    Rule("lifted-transform-without-variables", raised(variables_not_lifted), hand_on_variables),
    Rule("lifted-transform-without-size", raised(number_unknown), state_number),
    Rule("lifted-transform-without-rngs", raised(stream_not_split), split_stream),
    Rule(
        "remat-argument-not-static",
        raised(not_static_in_remat),
        by_match(name_in_remat, pass_by_position),
    ),
)
