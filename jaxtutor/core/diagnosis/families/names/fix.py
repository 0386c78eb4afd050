"""Fixes names: misspelt, moved, never imported, and arguments forgotten."""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterator
from functools import singledispatch

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft, top_imports
from jaxtutor.core.diagnosis.families.names.handed import OtherSignature, take_same
from jaxtutor.core.diagnosis.families.names.jax_names import NAMES
from jaxtutor.core.diagnosis.families.names.library_fix import library_arguments
from jaxtutor.core.diagnosis.families.names.match import (
    ReplacedName,
    UnknownAttribute,
    UnknownName,
    WrongArity,
)
from jaxtutor.core.diagnosis.families.names.model_calls import NotPassedOn, pass_on
from jaxtutor.core.diagnosis.families.names.moved import MOVED, UNLIKE
from jaxtutor.core.diagnosis.families.names.packed import take_element
from jaxtutor.core.diagnosis.families.names.passed_on import KeywordPassedOn, other_keyword
from jaxtutor.core.diagnosis.families.names.refused import (
    GivenTwice,
    PassedByPosition,
    RefusedKeyword,
    ScaledSample,
    Unlisted,
    insert_value,
    list_arguments,
    name_arguments,
    rename_keyword,
    scale_outside,
)
from jaxtutor.core.diagnosis.families.names.shifted import (
    are_meant,
    insert_argument,
    shifted_argument,
)
from jaxtutor.core.diagnosis.families.names.slips import is_slip
from jaxtutor.core.diagnosis.families.names.usual_imports import IMPORTS, SHARED
from jaxtutor.core.diagnosis.reading import parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module, bound_names
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find

# ---------------------------------------------------------------- names that are gone


@singledispatch
def write_new_name(found: AtFrame) -> Drafts:
    """Write a name that is gone as the one that took its place, everywhere in the file."""
    module, draft = found.module, Draft(found.module)
    wanted = _paths_at_fault(found)
    if not set(wanted) & UNLIKE:
        draft.certain()
    for node in module.nodes:
        if isinstance(node, ast.Attribute | ast.Name) and module.dotted(node) in wanted:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                _move(draft, node, wanted[module.dotted(node) or ""])
        elif isinstance(node, ast.ImportFrom):
            _move_import(draft, node, wanted)
        elif isinstance(node, ast.Import):
            _move_module(draft, node, wanted)
    yield draft


write_new_name.register(RefusedKeyword, rename_keyword)


@write_new_name.register
def _as_said(found: ReplacedName) -> Drafts:
    """Write what the library's message says."""
    module, draft = found.module_of, Draft(found.module_of).certain()
    for name in found.nodes:
        draft.replace(name, f"{module.text(name.value)}.{found.new}")
    yield draft


def _paths_at_fault(found: AtFrame) -> dict[str, str]:
    """List the moved names in the statement at fault."""
    module, statement = found.module, found.frame.statement
    nodes = list(ast.walk(statement)) if statement is not None else []
    paths = {module.dotted(n) for n in nodes if isinstance(n, ast.Attribute | ast.Name)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            paths |= {f"{node.module}.{item.name}" for item in node.names}
        elif isinstance(node, ast.Import):
            paths |= {item.name for item in node.names}
    return {path: MOVED[path] for path in paths if path in MOVED}


def _move(draft: Draft, node: ast.Attribute, new: str) -> None:
    if new[0] == ".":
        _move_update(draft, node, new[1:])
    else:
        draft.replace(node, new if "." not in new else draft.name(new))


def _move_update(draft: Draft, node: ast.Attribute, method: str) -> None:
    """`index_update(x, index[i], v)` becomes `x.at[i].set(v)`."""
    module, call = draft.module, draft.module.parents.get(node)
    if not isinstance(call, ast.Call) or len(call.args) != 3:
        return
    array, index, value = call.args
    is_index = isinstance(index, ast.Subscript) and module.text(index.value).endswith("index")
    inner = module.text(index.slice) if is_index and isinstance(index, ast.Subscript) else ""
    place = inner or module.text(index)
    draft.replace(call, f"{module.text(array)}.at[{place}].{method}({module.text(value)})")


def _move_import(draft: Draft, node: ast.ImportFrom, wanted: dict[str, str]) -> None:
    kept = [item for item in node.names if f"{node.module}.{item.name}" not in wanted]
    lines = []
    for item in node.names:
        new = wanted.get(f"{node.module}.{item.name}")
        if new is None or new[0] == "." or "." not in new:
            continue
        home, _, name = new.rpartition(".")
        alias = item.asname or item.name
        lines.append(f"from {home} import {name}" + (f" as {alias}" if alias != name else ""))
    if lines and not kept:
        draft.replace(node, "\n".join(lines))


def _move_module(draft: Draft, node: ast.Import, wanted: dict[str, str]) -> None:
    for item in node.names:
        new = wanted.get(item.name)
        if new is not None and item.asname is not None and len(node.names) == 1:
            draft.replace(node, f"import {new} as {item.asname}")


# ---------------------------------------------------------------- misspelt attributes


def spell_attribute(found: UnknownAttribute) -> Drafts:
    """Write the attribute that was meant: one of the same name elsewhere, or one like it here."""
    missing = found.context.failure.missing_name
    for near in missing.close if missing is not None and found.home not in NAMES else ():
        yield _spell(found.frame, found.home, found.name, f"{found.home}.{near}")
    if not found.home or found.name in _FOREIGN:
        return
    only = _only_meaning(found.home, found.name)
    for path in _meant(found.home, found.name):
        draft = _spell(found.frame, found.home, found.name, path)
        yield draft.certain() if draft is not None and path == only else draft


# Names of other libraries, which resemble names of JAX that mean something else.
_FOREIGN = frozenset({"no_grad", "enable_grad", "backward", "cuda", "detach", "autograd"})


def _meant(home: str, name: str) -> Iterator[str]:
    """List the paths that may be meant, the likeliest first."""
    known = NAMES.get(home, frozenset())
    near = difflib.get_close_matches(name, sorted(known), 2, 0.7)
    elsewhere = [h for h in NAMES if h != home and name in NAMES[h]]
    if elsewhere:
        yield f"{elsewhere[0]}.{name}"
    yield from (f"{home}.{n}" for n in near)
    lower = [h for h in NAMES if name.lower() in NAMES[h]]
    if lower and not elsewhere and not near:
        yield f"{lower[0]}.{name.lower()}"


def _only_meaning(home: str, name: str) -> str | None:
    """Return the one path that a name can mean: it is elsewhere, or one slip of the hand away."""
    elsewhere = [h for h in NAMES if h != home and name in NAMES[h]]
    if elsewhere:
        return f"{elsewhere[0]}.{name}" if len(elsewhere) == 1 else None
    slips = [known for known in NAMES.get(home, ()) if is_slip(name, known)]
    return f"{home}.{slips[0]}" if len(slips) == 1 else None


def _spell(frame: FrameContext, home: str, name: str, path: str) -> Draft | None:
    module, draft = frame.module, Draft(frame.module)
    new_home, _, new = path.rpartition(".")
    count = 0
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr == name:
            if frame.dotted(node.value) == home or module.dotted(node.value) == home:
                same = f"{module.text(node.value)}.{new}"
                draft.replace(node, same if new_home == home else draft.name(path))
                count += 1
        elif isinstance(node, ast.ImportFrom) and [n.name for n in node.names] == [name]:
            alias = node.names[0].asname or name
            tail = f" as {alias}" if alias != new else ""
            if node.module == home:
                draft.replace(node, f"from {new_home} import {new}{tail}")
                count += 1
    return draft if count else None


# ---------------------------------------------------------------- misspelt and unknown names


def spell_name(found: UnknownName) -> Drafts:
    """Write the nearest of the names in sight."""
    frame, name = found.frame, found.name
    for near in difflib.get_close_matches(name, sorted(_in_sight(frame) - {name}), 2, 0.6):
        draft = Draft(frame.module)
        if is_slip(name, near) and sum(is_slip(name, n) for n in _in_sight(frame)) == 1:
            draft.certain()
        for node in ast.walk(frame.function or frame.module.tree):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                draft.replace(node, near)
        yield draft


def _in_sight(frame: FrameContext) -> set[str]:
    """List the names that the fault could have meant."""
    module = frame.module
    scopes: list[ast.AST] = [module.tree]
    if frame.function is not None:
        scopes += [frame.function, *module.ancestors(frame.function)]
    found = set(module.imports)
    for scope in scopes:
        if isinstance(scope, ast.FunctionDef | ast.Lambda):
            found |= {a.arg for a in parameters(scope)}
        if isinstance(scope, ast.FunctionDef | ast.Module):
            found |= {n for c in ast.walk(scope) for n in bound_names(c)}
    return found | {n for n in dir(builtins) if n.islower()}


def add_import(found: UnknownName) -> Drafts:
    """Import the module, or use the name that it already has in this file."""
    module, name = found.module, found.name
    if name.startswith("jax."):
        yield Draft(module).import_line(f"import {name}").certain()
        return
    statement = IMPORTS.get(name)
    if statement is None:
        return
    draft = Draft(module).import_line(statement)
    yield draft if name in SHARED else draft.certain()
    home = statement.split()[1]
    other = next((a for a, path in top_imports(module).items() if path == home), None)
    if other is not None:
        draft = Draft(module)
        for node in module.nodes:
            if isinstance(node, ast.Name) and node.id == name:
                draft.replace(node, other)
        yield draft


@singledispatch
def fit_call(_: AtFrame) -> Drafts:
    """Fit a call to the signature of its function."""
    return ()


fit_call.register(RefusedKeyword, rename_keyword)
fit_call.register(KeywordPassedOn, other_keyword)
fit_call.register(GivenTwice, insert_value)
fit_call.register(PassedByPosition, name_arguments)
fit_call.register(ScaledSample, scale_outside)
fit_call.register(Unlisted, list_arguments)
fit_call.register(OtherSignature, take_same)
fit_call.register(NotPassedOn, pass_on)


@fit_call.register
def _pass_argument(found: WrongArity) -> Drafts:
    """Pass an argument that was forgotten, where its name is in sight; add a missing `self`."""
    call, message = found.call, found.context.message
    if call is None:
        return
    if found.form:
        yield from library_arguments(found, call)
        return
    if found.missing:
        yield take_element(found.context)
        shifted = shifted_argument(found, call)
        if shifted is not None:
            yield insert_argument(found, call, shifted)
        elif set(found.missing) <= _in_sight(found.frame) - set(dir(builtins)):
            given = [f"{n}={n}" if call.keywords else n for n in found.missing]
            draft = add_argument(Draft(found.module), call, ", ".join(given))
            yield draft.certain() if are_meant(found, call) else draft
        return
    if "takes 1 positional argument but 2" in message:
        yield _take_both(find(found.context, "scan", "fori_loop", at=call))
    if "positional argument" in message and isinstance(call.func, ast.Attribute):
        yield _take_self(found.module, call.func.attr)


def _take_both(loop: AppliedTransform | None) -> Draft | None:
    """Let the body of a loop take what it does not use: the element, or the index."""
    body = loop.function if loop is not None else None
    if loop is None or body is None or len(body.args.args) != 1:
        return None
    only = body.args.args[0]
    if loop.kind == "scan":
        return Draft(loop.module).after(only, ", _")
    return Draft(loop.module).before(only, "_, ")


def _take_self(module: Module, name: str) -> Draft | None:
    function = module.function_named(name)
    if function is None or not isinstance(module.parents.get(function), ast.ClassDef):
        return None
    given = function.args.args
    if given:
        is_taken = given[0].arg in ("self", "cls")
        return None if is_taken else Draft(module).before(given[0], "self, ").certain()
    header = module.header(function)
    column = module.lines[header.line - 1].find("(") + 1
    place = Span(header.line, column, header.line, column)
    return Draft(module).replace(place, "self").certain() if column else None
