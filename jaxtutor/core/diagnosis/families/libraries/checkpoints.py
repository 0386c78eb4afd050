"""Matches and mends calls of Orbax: paths, folders that exist, trees without an `args` object."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.library_calls import method_of
from jaxtutor.core.diagnosis.reading import argument, bound_value, keyword_of
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, Drafts, at_call
from jaxtutor.core.diagnosis.source import Module, path_of

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
    here = _path_in(frame.module, call) if call is not None else None
    calls = [
        (module, path)
        for module in context.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and (path := _path_in(module, node)) is not None
    ]
    found = [(frame.module, here)] if here is not None else calls
    if len(found) != 1 or found[0][1] is None:
        return None
    module, path = found[0]
    facts = {"name": module.text(path)}
    place = module.location(path)
    return RelativePath(place, facts, context=context, frame=frame, path=path, module_of=module)


def _path_in(module: Module, call: ast.Call) -> ast.expr | None:
    """Return the argument of a call of Orbax that is a path."""
    name = method_of(call) or path_of(call.func) or ""
    if name not in _WITH_PATH or not call.args:
        return None
    maker = module.dotted(call.func) or _maker(module, call)
    is_manager = maker == f"{_HOME}.CheckpointManager" and name != "CheckpointManager"
    return call.args[0] if maker.startswith(_HOME) and not is_manager else None


def _maker(module: Module, call: ast.Call) -> str:
    """Name the class of the object whose method a call calls, if the file makes it."""
    owner = getattr(call.func, "value", None)
    made = bound_value(module, owner) if isinstance(owner, ast.Name) else owner
    if isinstance(owner, ast.Attribute):
        path = path_of(owner)
        stored = [n for n in ast.walk(module.tree) if isinstance(n, ast.Assign)]
        values = [n.value for n in stored if path in map(path_of, n.targets)]
        made = values[0] if len(values) == 1 else None
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
        place,
        facts,
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        given=given,
        wrapper=wrapper if home else "",
    )


def wrap_tree(found: BareTree) -> Drafts:
    """Wrap the tree in the object that describes how it is stored."""
    if found.wrapper:
        option = keyword_of(found.node, "args")
        before = "" if option is not None else "args="
        yield Draft(found.module).certain().wrap(found.given, f"{before}{found.wrapper}(", ")")


def already_there(context: FailureContext) -> AtCall | None:
    """A checkpoint is written to a folder that already has one."""
    call = at_call(context)
    if call is None or method_of(call.node) != "save" or not call.node.args:
        return None
    facts = {"name": call.module.text(call.node.args[0])}
    return AtCall(None, facts, context=context, frame=call.frame, node=call.node, path=call.path)


def overwrite(found: AtCall) -> Drafts:
    """Let the checkpoint replace the existing one."""
    yield add_argument(Draft(found.module), found.node, "force=True")
