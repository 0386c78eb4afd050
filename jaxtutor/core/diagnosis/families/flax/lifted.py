"""Matches and mends uses of linen's transformations, and of `remat`, that lack an option."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.library_calls import library_call
from jaxtutor.core.diagnosis.reading import keyword_of, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rules import Drafts, InContext
from jaxtutor.core.diagnosis.source import FunctionNode, Module

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
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and _transforms(module, node) and _lacks(node, said[1])
    ]
    if len(found) != 1:
        return None
    module, call = found[0]
    facts = {
        "name": said[1],
        "function": module.text(_named(module, call)),
        "detail": f'split_rngs={{"{said[1]}": {_is_split(call, said[1])}}}',
    }
    place = module.location(call)
    return WithoutSplit(place, facts, context=context, module=module, call=call, stream=said[1])


def _transforms(module: Module, call: ast.Call) -> bool:
    """Return whether a call is `nn.vmap(…)`, or `partial(nn.vmap, …)`."""
    return module.dotted(_named(module, call)) in _MAPS


def _named(module: Module, call: ast.Call) -> ast.expr:
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


def setting_in_remat(context: FailureContext) -> TracedByRemat | None:
    """A function under `remat` tests an argument, which `remat` traces unless it is static."""
    if "/ remat" not in context.message and "checkpoint" not in context.message:
        return None
    for index in range(len(context.frames) - 1, 0, -1):
        frame = context.frames[index]
        applied = _applied(frame)
        given = [a.arg for a in parameters(frame.function)]
        name = _setting(context, frame, given)
        if applied is None or not name:
            continue
        module = frame.module
        keyword = _keyword(context.frames[index - 1], name)
        facts = {
            "argument": name,
            "name": module.text(applied if not _is_call(applied) else applied.func),  # type: ignore[attr-defined]
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


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call)


def _setting(context: FailureContext, frame: FrameContext, given: list[str]) -> str:
    """Name the argument of a frame's function that is one traced scalar, if there is only one."""
    facts = [fact for name in given if (fact := frame.fact(name)) is not None]
    named = [f.name for f in facts if f.kind == "tracer" and f.detail.lstrip("~") == "bool[]"]
    if context.argument in named:
        return context.argument or ""
    return named[0] if len(named) == 1 else ""


def _applied(frame: FrameContext) -> ast.expr | None:
    """Find where `remat` is applied to a frame's function, or to the class that it belongs to."""
    function, module = frame.function, frame.module
    owner = module.parents.get(function) if function is not None else None
    holder = owner if isinstance(owner, ast.ClassDef) else None
    names = {getattr(function, "name", ""), holder.name if holder is not None else ""} - {""}
    found = [*_decorating(module, function), *_decorating(module, holder)]
    for node in ast.walk(module.tree):
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
