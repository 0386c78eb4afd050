"""Matches and fixes calls of Orbax: paths, folders that exist, trees without an `args` object."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of, method_of, method_owner
from jaxtutor.core.diagnosis.reading.names import assigned_value, last_part

_HOME = "orbax.checkpoint"
_WITH_PATH = ("save", "restore", "CheckpointManager")


class RelativePath(AtFrame, frozen=True, kw_only=True):
    """A path of a checkpoint, as the file writes it, that does not begin at the root."""

    path: ast.expr
    module_of: Module


def relative_path(context: FailureContext) -> RelativePath | None:
    """A checkpoint is to be written to a relative path; a later call may be what raises."""
    frame, call = context.frame, context.call
    if frame is None:
        return None
    here = _path_in(frame.module, call, _class_in(frame, call)) if call is not None else None
    calls = [
        (module, path)
        for module in context.modules.values()
        for node in module.calls
        if (path := _path_in(module, node)) is not None
    ]
    found = [(frame.module, here)] if here is not None else calls
    if len(found) != 1 or found[0][1] is None:
        return None
    module, path = found[0]
    facts = {"name": module.text(path)}
    place = module.location(path)
    return RelativePath(place, facts, context=context, path=path, module_of=module)


def _class_in(frame: FrameContext, call: ast.Call) -> str:
    """Name the class of the object whose method a call calls, as it was when the call failed."""
    fact = frame.fact(method_owner(call))
    return fact.detail if fact is not None and fact.kind == "other" else ""


def _path_in(module: Module, call: ast.Call, owner: str = "") -> ast.expr | None:
    """Return the argument of a call of Orbax that is a path; `owner` is the class, if known."""
    name = method_of(call) or path_of(call.func) or ""
    if name not in _WITH_PATH or not call.args:
        return None
    maker = module.dotted(call.func) or owner or _owner_class(module, call)
    is_manager = last_part(maker) == "CheckpointManager" and name != "CheckpointManager"
    return call.args[0] if maker.startswith(_HOME) and not is_manager else None


def _owner_class(module: Module, call: ast.Call) -> str:
    """Name the class of the object whose method a call calls, if the file makes it."""
    owner = getattr(call.func, "value", None)
    made = owner if isinstance(owner, ast.Call) else assigned_value(module, owner)
    return (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""


def absolute_path(found: RelativePath) -> Drafts:
    """Make the path absolute."""
    draft = Draft(found.module_of).certain()
    if "os" not in found.module_of.imports:
        draft.import_line("import os")
    yield draft.wrap(found.path, "os.path.abspath(", ")")


class BareTree(AtCall, frozen=True, kw_only=True):
    """A tree that is passed as `args` to a checkpoint manager; `wrapper` is what belongs around."""

    given: ast.expr
    wrapper: str


def bare_tree(context: FailureContext) -> BareTree | None:
    """A checkpoint manager gets the tree itself where it takes an object that describes it."""
    call = at_call(context)
    method = method_of(call.node) if call is not None else ""
    names = {"save": "StandardSave", "restore": "StandardRestore"}
    if call is None or method not in names:
        return None
    option = keyword_of(call.node, "args")
    given = option.value if option is not None else argument(call.node, 1)
    if given is None:
        return None
    aliases = call.module.imports
    home = next((a for a, path in aliases.items() if path == _HOME), "")
    wrapper = f"{home or 'ocp'}.args.{names[method]}"
    text = call.module.text(given)
    facts = {"name": text, "argument": f"args={wrapper}({text})", "function": method}
    place = call.frame.place(given)
    return BareTree(
        place, facts, context=context, node=call.node, given=given, wrapper=wrapper if home else ""
    )


def wrap_tree(found: BareTree) -> Drafts:
    """Wrap the tree in the object that describes how it is stored."""
    if found.wrapper:
        option = keyword_of(found.node, "args")
        before = "" if option is not None else "args="
        yield Draft(found.module).certain().wrap(found.given, f"{before}{found.wrapper}(", ")")


# ---------------------------------------------------------------- no checkpoint yet


def none_saved(context: FailureContext) -> AtCall | None:
    """A checkpoint manager is to restore the last step, and its folder has none."""
    call = at_call(context)
    owner = getattr(call.node.func, "value", None) if call is not None else None
    if call is None or owner is None or method_of(call.node) != "restore":
        return None
    step = argument(call.node, 0, "step")
    is_read = isinstance(step, ast.Name | ast.Attribute | ast.Call)
    last = f"{call.module.text(owner)}.latest_step()"
    text = call.module.text(step) if step is not None and is_read else last
    facts = {
        "name": text,
        "function": call.module.text(call.node.func),
        "condition": f"{text} is not None",
    }
    return AtCall(None, facts, context=context, node=call.node)


# ---------------------------------------------------------------- folders that exist


def already_there(context: FailureContext) -> AtCall | None:
    """A checkpoint is written to a folder that already has one."""
    call = at_call(context)
    if call is None or method_of(call.node) != "save" or not call.node.args:
        return None
    facts = {"name": call.module.text(call.node.args[0])}
    return AtCall(None, facts, context=context, node=call.node)


def overwrite(found: AtCall) -> Drafts:
    """Let the checkpoint replace the existing one."""
    yield add_argument(Draft(found.module), found.node, "force=True")


RULES = (
    Rule("checkpoint-path-relative", raised(relative_path), absolute_path),
    Rule("no-checkpoint-yet", raised(none_saved)),
    Rule("checkpoint-already-there", raised(already_there), overwrite),
    Rule("checkpoint-args-not-wrapped", raised(bare_tree), wrap_tree),
)
