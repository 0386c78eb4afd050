"""Matches and fixes classes of linen: constructors of one's own, methods that share layer names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, rewrite
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_of, method_of
from jaxtutor.core.diagnosis.reading.library_calls import library_call
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import is_string

_MODULES = ("flax.linen.Module", "flax.linen.module.Module")

# ---------------------------------------------------------------- constructors


class OwnConstructor(InContext, frozen=True, kw_only=True):
    """A method of a linen class that takes the place of the one which linen generates."""

    module: Module
    owner: ast.ClassDef
    method: ast.FunctionDef


def own_constructor(context: FailureContext) -> OwnConstructor | None:
    """A class of linen defines `__init__`, or `__post_init__` without that of linen."""
    found = list(_constructors(context))
    if not found:
        return None
    used = {last_part(f.detail) for frame in context.frames for f in frame.names.values()}
    module, owner, method = next((f for f in found if f[1].name in used), found[0])
    place = module.location(module.header(method))
    facts = {"name": owner.name, "function": method.name}
    form = "" if method.name == "__init__" else "post_init"
    return OwnConstructor(
        place, facts, form, context=context, module=module, owner=owner, method=method
    )


def _constructors(
    context: FailureContext,
) -> Iterator[tuple[Module, ast.ClassDef, ast.FunctionDef]]:
    for module in context.modules.values():
        for owner in module.nodes:
            if isinstance(owner, ast.ClassDef) and _is_linen(module, owner):
                for method in owner.body:
                    if isinstance(method, ast.FunctionDef) and _replaces(method):
                        yield module, owner, method


def _is_linen(module: Module, owner: ast.ClassDef) -> bool:
    return any(module.dotted(base) in _MODULES for base in owner.bases)


def _replaces(method: ast.FunctionDef) -> bool:
    """Return whether a method is a constructor that never calls linen's `__post_init__`."""
    called = {method_of(n) for n in calls_in(method)}
    return method.name in ("__init__", "__post_init__") and "__post_init__" not in called


def fields_for_constructor(found: OwnConstructor) -> Drafts:
    """Declare the arguments of `__init__` as fields, and make the rest of it `setup`."""
    method, module = found.method, found.module
    indent = " " * method.body[0].col_offset
    draft = Draft(module).certain()
    if method.name == "__post_init__":
        yield draft.lines_after(method.body[-1], f"{indent}super().__post_init__()")
        return
    given = method.args
    is_simple = not (given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs)
    names = [a.arg for a in given.args[1:]]
    rest = [s for s in method.body if not _is_super(s) and _stored_argument(s, names) is None]
    renamed = any(_stored_argument(s, names) == "" for s in method.body)
    if not is_simple or not names or renamed or {"name", "parent"} & set(names):
        return
    if rest and any(getattr(n, "name", "") == "setup" for n in found.owner.body):
        return
    fields = [_field(draft, found, position) for position in range(len(names))]
    margin = " " * method.col_offset
    text = f"\n{margin}".join(fields)
    if rest:
        lines = "\n".join(f"{indent}{_with_fields(module, s, names)}" for s in rest)
        text += f"\n\n{margin}def setup(self):\n{lines}"
    yield draft.replace(method, text)


def _is_super(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    owner = getattr(getattr(value, "func", None), "value", None)
    is_call = isinstance(owner, ast.Call) and path_of(owner.func) == "super"
    return is_call or is_string(value)


def _stored_argument(statement: ast.stmt, names: list[str]) -> str | None:
    """Return the argument that is only stored under its own name; empty under another name."""
    match statement:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)],
            value=ast.Name(id=name),
        ) if name in names:
            return name if attr == name else ""
    return None


def _field(draft: Draft, found: OwnConstructor, position: int) -> str:
    """Write an argument of `__init__` as a field of a dataclass."""
    given, module = found.method.args, found.module
    argument = given.args[position + 1]
    behind = len(given.args) - 1 - position
    default = given.defaults[-behind] if behind <= len(given.defaults) else None
    if argument.annotation is not None:
        kind = module.text(argument.annotation)
    else:
        kind = _constant_type(default) or _constant_type(
            _constructor_argument(found, position, argument.arg)
        )
    if not kind:
        kind = "Any"
        draft.import_line("from typing import Any")
    value = f" = {module.text(default)}" if default is not None else ""
    return f"{argument.arg}: {kind}{value}"


def _constructor_argument(found: OwnConstructor, position: int, name: str) -> ast.expr | None:
    """Return what the first call of the class passes for an argument."""
    for node in found.module.calls:
        if path_of(node.func) == found.owner.name:
            option = keyword_of(node, name)
            if option is not None:
                return option.value
            return node.args[position] if position < len(node.args) else None
    return None


def _constant_type(value: ast.expr | None) -> str:
    """Name the type of a constant."""
    kept = value.value if isinstance(value, ast.Constant) else None
    return type(kept).__name__ if isinstance(kept, bool | int | float | str) else ""


def _with_fields(module: Module, statement: ast.stmt, names: list[str]) -> str:
    """Write a statement with the fields in the place of the arguments."""
    parts: dict[ast.AST, str] = {
        n: f"self.{n.id}"
        for n in ast.walk(statement)
        if isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load)
    }
    return rewrite(module, statement, parts)


# ---------------------------------------------------------------- names of layers


class SharedNames(AtFrame, frozen=True, kw_only=True):
    """Layers of a compact method that get the names of another method's; `layers` have none."""

    layers: tuple[ast.Call, ...]


def compact_twice(context: FailureContext) -> SharedNames | None:
    """Two compact methods of one class number their layers from zero, each on its own."""
    frame = context.frame
    function = frame.function if frame is not None else None
    owner = frame.module.parents.get(function) if frame is not None and function else None
    if frame is None or not isinstance(function, ast.FunctionDef):
        return None
    if not isinstance(owner, ast.ClassDef) or not _is_compact(frame.module, function):
        return None
    if _is_initialised(context) or _calls_in(owner, function.name) > 1:
        return None  # the method made the parameters itself, for an input of another shape
    others = [
        m
        for m in owner.body
        if isinstance(m, ast.FunctionDef) and m is not function and _is_compact(frame.module, m)
    ]
    layers = tuple(_unnamed(frame.module, function))
    shared = [m for m in others if _kinds(layers) & _kinds(_unnamed(frame.module, m))]
    if not shared:
        return None
    facts = {"function": function.name, "name": shared[0].name, "container": owner.name}
    facts["argument"] = sorted(_kinds(layers) & _kinds(_unnamed(frame.module, shared[0])))[0]
    return SharedNames(None, facts, context=context, layers=layers)


def _is_initialised(context: FailureContext) -> bool:
    """Return whether `apply` runs the method that `init` ran to its end."""
    applied = library_call(context, "apply", "apply_fn")
    made = [
        _method_run(module, node)
        for module in context.modules.values()
        for node in module.calls
        if method_of(node) == "init"
    ]
    return applied is not None and _method_run(applied[0].module, applied[1]) in made


def _method_run(module: Module, call: ast.Call) -> str:
    """Name the method that a call of `init` or `apply` runs; empty for `__call__`."""
    option = keyword_of(call, "method")
    named = last_part(module.text(option.value)).strip("'\"") if option is not None else ""
    return "" if named == "__call__" else named


def _calls_in(owner: ast.ClassDef, method: str) -> int:
    """Count where a class calls a method of its own."""
    calls = (node.func for node in calls_in(owner))
    return sum(path_of(function) == f"self.{method}" for function in calls)


def _is_compact(module: Module, method: ast.FunctionDef) -> bool:
    paths = map(module.dotted, method.decorator_list)
    return any(
        (path or "").startswith("flax.linen") and "compact" in (path or "") for path in paths
    )


def _unnamed(module: Module, method: ast.FunctionDef) -> Iterator[ast.Call]:
    """List the layers that a method makes without a name."""
    for node in calls_in(method):
        if keyword_of(node, "name") is None:
            home, _, name = (module.dotted(node.func) or "").rpartition(".")
            if home.startswith("flax.linen") and name[:1].isupper():
                yield node


def _kinds(layers: tuple[ast.Call, ...] | Iterator[ast.Call]) -> set[str]:
    return {last_name(layer.func) for layer in layers}


def name_layers(found: SharedNames) -> Drafts:
    """Name the layers of the method after it."""
    module, draft = found.module, Draft(found.module).certain()
    layers = sorted(found.layers, key=lambda n: (n.lineno, n.col_offset))
    in_loop = any(
        isinstance(outer, ast.For | ast.While | ast.ListComp)
        for layer in layers
        for outer in module.ancestors(layer)
    )
    if in_loop or not found.facts["function"].isidentifier():
        return
    prefix = found.facts["function"].strip("_")
    for number, layer in enumerate(layers):
        add_argument(draft, layer, f'name="{prefix}_{number}"')
    yield draft


RULES = (
    Rule("linen-compact-twice", raised(compact_twice), name_layers),
    Rule("linen-init-overridden", raised(own_constructor), fields_for_constructor),
)
