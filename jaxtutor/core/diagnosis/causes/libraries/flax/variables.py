"""Matches the causes in Flax: variables, collections, random streams, and traces of objects."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.libraries.flax.mapped_keys import (
    MappedCall,
    keys_needed,
    mapped_call,
)
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, InContext
from jaxtutor.core.diagnosis.engine.phrases import in_words
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import names_in
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import keyword_of, keyword_value, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import given_values, library_call, place_of_call
from jaxtutor.core.diagnosis.reading.names import last_part

APPLY = ("apply", "apply_fn")
INIT = ("init", "init_with_output", "lazy_init")


def saved_otherwise(context: FailureContext) -> AtFrame | None:
    """What is read from a file has another structure than the object that it is to fill."""
    frame = context.frame
    if frame is None:
        return None
    if context.is_a(("AttributeError",)):
        return _untargeted(context)
    lacks = [path for path, filled, _ in _ENTRIES.findall(context.message) if filled == "MISSING"]
    extra = [path for path, _, saved in _ENTRIES.findall(context.message) if saved == "MISSING"]
    parts = [("the object lacks", lacks), ("the checkpoint lacks", extra)]
    said = [f"{words} {_first_paths(paths)}" for words, paths in parts if paths]
    facts, form = {"detail": "; ".join(said)}, "entries" if said else ""
    sizes = _STORED.search(context.message)
    if sizes is not None:
        facts, form = {"argument": sizes[1], "container": sizes[2]}, "sizes"
    return AtFrame(None, facts, form, context=context)


def _untargeted(context: FailureContext) -> AtFrame | None:
    """Match the only `restore` that is given no target, if a library then meets a plain dict."""
    said = _MET_PLAIN.search(context.message)
    found = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if method_of(node) == "restore" and len(node.args) == 1 and not node.keywords
        if any(path.startswith(_SAVING) for path in module.imports.values())
    ]
    if said is None or not context.library or len(found) != 1:
        return None
    module, node = found[0]
    facts = {
        "name": module.text(node.func),
        "argument": module.text(node.args[0]),
        "container": f"a {said[1]}",
        "detail": said[2],
    }
    place = module.location(node)
    return AtFrame(place, facts, "untargeted", context=context)


_MET_PLAIN = re.compile(r"'(dict|list)' object has no attribute '(\w+)'")
_SAVING = ("orbax", "flax.training")
_ENTRIES = re.compile(
    r"^(\S.*):\n\s+- Source: (MISSING)?(?:.*\n)+?\s+- Target: (MISSING)?", re.MULTILINE
)
_STORED = re.compile(r"^Requested shape: (\([^)]*\)) is not .* stored shape: (\([^)]*\))")
_MOST_ENTRIES = 4


def _first_paths(paths: list[str]) -> str:
    more = ["…"] if len(paths) > _MOST_ENTRIES else []
    return ", ".join([*(f"`{path}`" for path in paths[:_MOST_ENTRIES]), *more])


class AtApply(InContext, frozen=True, kw_only=True):
    """A cause in a call that runs a module: `module.apply(…)`, `module.init(…)`."""

    frame: FrameContext
    call: ast.Call
    name: str = ""  # the collection or the random stream


def at_library_call(
    context: FailureContext, methods: tuple[str, ...], name: str, facts: dict[str, str]
) -> AtApply | None:
    """Return the cause at the innermost call of one of a library's methods."""
    found = library_call(context, *methods)
    if found is None:
        return None
    frame, call = found
    facts = {"name": name, "function": place_of_call(frame, call), **facts}
    return AtApply(
        frame.place(call),
        facts,
        context=context,
        frame=frame,
        call=call,
        name=name,
    )


# ---------------------------------------------------------------- variables of linen

_COLLECTION = re.compile(r'access "([^"]*)" from collection "(\w+)" in "([^"]*)"')
_IMMUTABLE = re.compile(r'update variable "([^"]*)" in "([^"]*)" because collection "(\w+)"')
_STREAM = re.compile(r'needs PRNG for "(\w+)"')


def missing_collection(context: FailureContext) -> AtApply | None:
    """A collection that a layer reads, such as batch_stats, is not passed to apply."""
    said = _COLLECTION.search(context.message)
    if said is None or said[2] == "params":
        return None
    return at_library_call(context, APPLY, said[2], {"argument": said[1], "container": said[3]})


def params_not_wrapped(context: FailureContext) -> AtApply | None:
    """The parameters are passed without the dict around them, or with two."""
    said = _COLLECTION.search(context.message)
    if said is not None and said[2] != "params":
        return None
    # The first is raised for a dict under `params` again, the other for arrays in place of dicts.
    is_double = "InvalidVariablesStructure" in context.error
    if said is None and not is_double and "InvalidVariablesType" not in context.error:
        return None
    found = at_library_call(context, APPLY, "params", {})
    if found is None or not found.call.args:
        return None
    given = _variables_argument(found)
    if found.frame.kind(given) in ("array", "ndarray", "tracer", "typed_key", "function"):
        return None
    facts = {**found.facts, "argument": found.frame.module.text(given) if given is not None else ""}
    form = "twice" if is_double else ""
    if isinstance(given, ast.Dict) and _has_params(given) and not is_double:
        return _odd_collection(found, given)
    return AtApply(
        found.place, facts, form, context=context, frame=found.frame, call=found.call, name="params"
    )


def _has_params(given: ast.Dict) -> bool:
    return any(getattr(key, "value", None) == "params" for key in given.keys)


def _odd_collection(found: AtApply, given: ast.Dict) -> AtApply | None:
    """Return the one value in a dict of collections that is not a dict itself."""
    facts = [(value, found.frame.fact(value)) for value in given.values]
    odd = [(v, f) for v, f in facts if f is not None and f.kind in ("tuple", "list", "array")]
    if len(odd) != 1 or any(fact is None for _, fact in facts):
        return None
    value, fact = odd[0]
    text = found.frame.module.text(value)
    said = {"argument": text, "detail": in_words(fact), "function": found.facts["function"]}
    return AtApply(
        found.frame.place(value),
        said,
        "collection",
        context=found.context,
        frame=found.frame,
        call=found.call,
        name="params",
    )


def _variables_argument(found: AtApply) -> ast.expr | None:
    return found.call.args[0] if found.call.args else None


def immutable_collection(context: FailureContext) -> AtApply | None:
    """A layer updates a collection that apply was not allowed to change."""
    said = _IMMUTABLE.search(context.message)
    if said is None:
        return None
    return at_library_call(context, APPLY, said[3], {"argument": said[1], "container": said[2]})


_ABSENT = re.compile(
    r"""parameter named "([^"]*)" in scope "([^"]*)"|parameter '([^']*)' for module '([^']*)'"""
)


def parameters_absent(context: FailureContext) -> AtApply | None:
    """The parameters have other names than those of the model that is applied."""
    said = _ABSENT.search(context.message)
    if said is None:
        return None
    name, scope = said[1] or said[3], said[2] or said[4]
    return at_library_call(context, APPLY, name, {"container": scope})


def given_to(context: FailureContext, frame: FrameContext, node: ast.expr) -> list[ast.expr]:
    """List the expressions that a value of a frame was given by."""
    return given_values(context, frame, node)


# ---------------------------------------------------------------- modules of linen


def submodule_outside(context: FailureContext) -> AtFrame | None:
    """A layer is made in a method that is neither setup nor marked compact."""
    frame = context.frame
    if frame is None:
        return None
    name = getattr(frame.function, "name", "")
    return AtFrame(None, {"function": name}, context=context)


def module_in_transform(context: FailureContext) -> AtFrame | None:
    """A linen module is called inside a transformation of JAX instead of one of Flax."""
    is_hashed = "__hash__ on modules that hold variables" in context.message
    is_leak = context.error == "UnexpectedTracerError" and "flax/linen" in context.message
    if is_hashed or context.error == "JaxTransformError":
        frame = context.frame
    else:
        frame = _transforming(context) if is_leak else None
    if frame is None:
        return None
    name = frame.callee(frame.node) or ""
    facts = {"name": name, "function": last_part(name)}
    place = frame.place(frame.node) if is_leak and frame.node is not None else None
    return AtFrame(place, facts, context=context, outer_frame=frame)


def _transforming(context: FailureContext) -> FrameContext | None:
    """Return the frame of a linen module's method that applies a transformation of JAX."""
    for frame in reversed(context.frames):
        owner = frame.module.parents.get(frame.function) if frame.function is not None else None
        bases = owner.bases if isinstance(owner, ast.ClassDef) else []
        is_linen = any(frame.module.dotted(base) == "flax.linen.Module" for base in bases)
        if is_linen and (frame.callee(frame.node) or "").startswith("jax."):
            return frame
    return None


# ---------------------------------------------------------------- random streams


class WithoutKey(AtFrame, frozen=True, kw_only=True):
    """A random layer that got no key: the call that runs the model, and the stream it needs."""

    call: ast.Call | None
    name: str
    made: ast.Call | None = None  # where a layer of NNX is made
    keyword: str = "key"  # by which the call of a model of Equinox takes the key
    batch: MappedCall | None = None  # the call of a mapped model, or of what calls it


def without_key(context: FailureContext) -> WithoutKey | None:
    """A layer draws random numbers, and got no key for them."""
    frame = context.frame
    if frame is None:
        return None
    said = _STREAM.search(context.message)
    if said is not None:
        return _without_stream(context, said[1])
    form = _key_form(context)
    if not form:
        return None
    if form == "equinox":
        return _model_without_key(context, frame)
    outer = library_call(context, *APPLY, *INIT) if form == "haiku" else None
    own = frame.node if isinstance(frame.node, ast.Call) else None
    here, call = outer if outer is not None else (frame, own)
    facts = {"name": place_of_call(here, call) if call is not None else ""}
    made = _made_without_rngs(here, call) if form == "nnx" and call is not None else None
    shown = made or call
    place = here.place(shown) if shown is not None else None
    return WithoutKey(
        place, facts, form, context=context, outer_frame=here, call=call, name="", made=made
    )


def _model_without_key(context: FailureContext, frame: FrameContext) -> WithoutKey:
    """Return the call of a layer or model of Equinox that passes no key."""
    own = frame.node if isinstance(frame.node, ast.Call) else None
    here, call, keyword = _caller_without_key(context) or (frame, own, "key")
    batch = mapped_call(here.module, call) if call is not None else None
    facts = {"name": place_of_call(here, call) if call is not None else "", "argument": keyword}
    form = "equinox"
    if batch is not None:
        keys = keys_needed(batch, "key") or "jax.random.split(key, n)"
        called = name_of(batch.function) or "lambda"
        facts |= {"container": keys, "function": called}
        form = "equinox_function" if batch.function is not None else "equinox_mapped"
    return WithoutKey(
        here.place(call) if call is not None else None,
        facts,
        form,
        context=context,
        outer_frame=here,
        call=call,
        name="",
        keyword=keyword,
        batch=batch,
    )


def _caller_without_key(context: FailureContext) -> tuple[FrameContext, ast.Call, str] | None:
    """Return the call that left out the key, if the layer's own call hands on a key that is None.

    A method of a model takes `key=None`, and passes it to its layers. The call comes with the
    name of the parameter that it left out.
    """
    position, keyword = len(context.frames) - 1, "key"
    while position > 0:
        frame = context.frames[position]
        given = _none_given(frame, keyword)
        if given is None:
            break
        names = set(parameter_names(frame.function))
        keyword = given.id if isinstance(given, ast.Name) and given.id in names else "key"
        position -= 1
    frame = context.frames[position]
    is_outer = position < len(context.frames) - 1
    if not is_outer or not isinstance(frame.node, ast.Call):
        return None
    return frame, frame.node, keyword


def _none_given(frame: FrameContext, keyword: str) -> ast.expr | None:
    """Return what the call of a frame passes for a key, if that is None."""
    call = frame.node
    if not isinstance(call, ast.Call):
        return None
    given = keyword_value(call, keyword)
    if given is not None:
        return given if frame.kind(given) == "none" else None
    empty = [a for a in call.args if frame.kind(a) == "none"]
    return empty[0] if len(empty) == 1 else None


def _made_without_rngs(frame: FrameContext, call: ast.Call) -> ast.Call | None:
    """Find the call that made the layer of an attribute, if it passes no `rngs`."""
    if not isinstance(call.func, ast.Attribute):
        return None
    value = _assigned_to(frame, call.func.attr)
    is_bare = isinstance(value, ast.Call) and all(k.arg != "rngs" for k in value.keywords)
    return value if is_bare and isinstance(value, ast.Call) else None


def _without_stream(context: FailureContext, stream: str) -> WithoutKey | None:
    found = library_call(context, *APPLY, *INIT)
    if found is None:
        facts = {"name": stream}
        return WithoutKey(None, facts, context=context, call=None, name=stream)
    outer, call = found
    form = "init" if method_of(call) in INIT else ""
    facts = {"name": stream, "function": place_of_call(outer, call)}
    return WithoutKey(
        outer.place(call), facts, form, context=context, outer_frame=outer, call=call, name=stream
    )


def _key_form(context: FailureContext) -> str:
    if context.library == "flax" and "no `rngs` argument was provided" in context.message:
        return "nnx"
    if context.library == "equinox" and "requires a key when running" in context.message:
        return "equinox"
    return "haiku" if context.error == "MissingRNGError" else ""


# ---------------------------------------------------------------- NNX


class ForeignObject(AtFrame, frozen=True, kw_only=True):
    """An object of NNX that is used in a trace in which it was not made."""

    name: str


class MergedObject(AtFrame, frozen=True, kw_only=True):
    """An object of NNX that `nnx.merge` made in the trace, from variables of outside."""

    made: ast.Call


def foreign_trace(context: FailureContext) -> ForeignObject | MergedObject | None:
    """An NNX object is changed in a trace that it does not belong to."""
    is_mutated = context.error == "TraceContextError"
    if not is_mutated and "different trace level" not in context.message:
        return None
    for frame in reversed(context.frames):
        merged = _merged_in(frame)
        if merged is not None:
            facts = {"name": frame.module.text(merged)}
            at = frame.module.location(merged)
            return MergedObject(
                at, facts, "merged", context=context, outer_frame=frame, made=merged
            )
        name = _free_object(frame)
        if name:
            place = frame.place(frame.node) if frame.node is not None else None
            facts = {"name": name, "function": _function_name(frame)}
            return ForeignObject(place, facts, context=context, outer_frame=frame, name=name)
    if context.frame is None:
        return None
    return ForeignObject(None, {}, context=context, name="")


def _merged_in(frame: FrameContext) -> ast.Call | None:
    """Return the one `nnx.merge` of a function, if it may keep the variables that it is given."""
    nodes = ast.walk(frame.function) if frame.function is not None else ()
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    merges = [c for c in calls if frame.module.dotted(c.func) == "flax.nnx.merge"]
    is_copy = any(keyword_of(c, "copy") is not None for c in merges)
    return merges[0] if len(merges) == 1 and not is_copy else None


def _free_object(frame: FrameContext) -> str:
    """Name an NNX object that the function of a frame reads and does not get as an argument."""
    if frame.function is None or frame.node is None:
        return ""
    taken = {a.arg for a in ast.walk(frame.function.args) if isinstance(a, ast.arg)}
    free = sorted(names_in(frame.node) - taken)
    nnx = [n for n in free if any(b.startswith("flax.nnx") for b in _bases(frame, n))]
    return nnx[0] if nnx else ""


def _bases(frame: FrameContext, name: str) -> tuple[str, ...]:
    fact = frame.fact(name)
    return fact.bases if fact is not None and fact.kind == "other" else ()


def _function_name(frame: FrameContext) -> str:
    name = frame.record.function
    return "" if name.startswith("<") else name


class ListOfModules(AtFrame, frozen=True, kw_only=True):
    """A plain list or dict of modules in an attribute; `value` is what is assigned to it.

    Of `nnx.Sequential` it is the list that is passed for the layers.
    """

    value: ast.expr | None


def plain_list(context: FailureContext) -> ListOfModules | None:
    """A plain list, tuple or dict that holds modules is assigned to an attribute."""
    said = _PLAIN.search(context.message)
    frame = context.frame
    if said is None or frame is None:
        return None
    call = context.call
    if call is not None and (frame.callee(call) or "").endswith(".Sequential"):
        return _of_sequential(context, frame, call)
    value = _assigned_to(frame, said[2])
    container = "nnx.Dict" if said[1] == "dict" else "nnx.List"
    facts = {"argument": f"self.{said[2]}", "name": said[1], "container": container}
    place = frame.module.location(value) if value is not None else None
    return ListOfModules(place, facts, context=context, value=value)


_PLAIN = re.compile(r"value of type '?<class '(list|tuple|dict)'>.*?attribute '(\w+)'")


def _of_sequential(
    context: FailureContext, frame: FrameContext, call: ast.Call
) -> ListOfModules | None:
    """Match the list that is passed to `nnx.Sequential`, which takes the layers one by one."""
    given = call.args[0] if len(call.args) == 1 else None
    if given is None or isinstance(given, ast.Starred):
        return None
    text = frame.module.text(given)
    spread = text[1:-1].strip().rstrip(",") if isinstance(given, ast.List) else f"*{text}"
    name = frame.module.text(call.func)
    facts = {"name": name, "container": f"{name}({' '.join(spread.split())})", "argument": spread}
    place = frame.place(given)
    return ListOfModules(place, facts, "spread", context=context, value=given)


def _assigned_to(frame: FrameContext, name: str) -> ast.expr | None:
    """Return the one value that is assigned to an attribute of self."""
    found = [
        node.value
        for node in frame.module.nodes
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Attribute) and t.attr == name for t in node.targets)
    ]
    return found[0] if len(found) == 1 else None


RULES = (Rule("parameters-of-another-model", raised(parameters_absent)),)
