"""Fixes static arguments: names one, takes one out, makes one hashable."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from jaxtutor.core.data.observations import StaticChange, StaticNumber
from jaxtutor.core.diagnosis.causes.tracing.static_arguments import (
    AtJit,
    BoundFirst,
    field_not_static,
    not_static,
    self_not_static,
    tracer_to_static,
    unhashable,
    uses_as_python_value,
    wrong_static,
)
from jaxtutor.core.diagnosis.causes.tracing.static_entries import pass_entries
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.editing.static_arguments import (
    decorate,
    make_static,
    name_static,
    parameter_position,
    unname_static,
)
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, static_names
from jaxtutor.core.diagnosis.observed.retraces import StaticChanges, static_change, static_number
from jaxtutor.core.diagnosis.reading.calls import argument_for, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name
from jaxtutor.core.diagnosis.reading.values import elements_or_itself


def name_argument(found: AtJit) -> Drafts:
    """Make a string, function or settings object static."""
    name = re.split(r"[.\[]", found.argument, maxsplit=1)[0]
    if found.form in ("item", "unhashable"):
        yield from pass_entries(found)
        return
    if found.jit is not None and name in set(parameter_names(found.jit.function)):
        yield name_static(Draft(found.jit.module), found.jit, name)


def static_field(found: AtJit) -> Drafts:
    """Mark the field of a registered dataclass as static."""
    for module in found.context.modules.values():
        for node in module.nodes:
            is_it = isinstance(node, ast.AnnAssign) and found.place == module.location(node)
            owner = module.parents.get(node)
            if not is_it or not isinstance(owner, ast.ClassDef):
                continue
            if isinstance(node, ast.AnnAssign) and found.form:
                yield _mark(Draft(module), node, found.form)
            names = " ".join(module.text(d) for d in owner.decorator_list)
            if isinstance(node, ast.AnnAssign) and "register_dataclass" in names:
                draft = Draft(module)
                made = f"{draft.name('dataclasses.field')}(metadata=dict(static=True))"
                yield draft.after(node.annotation, f" = {made}") if node.value is None else None


def _mark(draft: Draft, field: ast.AnnAssign, library: str) -> Draft:
    """Declare a field of a module of Equinox, or of a dataclass of Flax, to be no part of it."""
    default = draft.module.text(field.value) if field.value is not None else ""
    name, option = {
        "equinox": ("equinox.field", "static=True"),
        "struct": ("flax.struct.field", "pytree_node=False"),
    }[library]
    options = f"{option}, default={default}" if default else option
    made = f"{draft.name(name)}({options})"
    draft.certain()
    return (
        draft.replace(field.value, made)
        if field.value
        else draft.after(field.annotation, f" = {made}")
    )


def name_self(found: AtJit) -> Drafts:
    """Make `self` static."""
    jit = found.jit
    if jit is None or not jit.is_decorator or found.form == "nnx":
        return
    draft = Draft(jit.module)
    if found.form == "equinox":
        if jit.call is None:
            yield draft.certain().replace(jit.node, draft.name("equinox.filter_jit"))
        return
    if jit.call is None:
        yield decorate(draft, jit, "static_argnums=0")
    else:
        yield name_static(draft, jit, parameters(jit.function)[0].arg)


def hashable(found: AtJit) -> Drafts:
    """Pass a tuple for a list, freeze a dataclass; else make the argument no longer static."""
    if found.form == "nondiff" and found.argument.isidentifier():
        yield make_static(found.context, found.argument)
    jit, frame, call = found.jit, found.context.frame, found.context.call
    if jit is None or jit.function is None:
        return
    names = sorted(static_names(jit))
    yield from _frozen(found)
    if frame is not None and call is not None:
        for name in names:
            given = argument_for(jit.function, call, name)
            if given is not None and found.form == "number":
                yield _plain_number(frame, given, found.facts["class"])
            elif given is not None:
                yield _hashable(frame, given)
    yield from (unname_static(jit, name) for name in names)


def _plain_number(frame: FrameContext, given: ast.expr, kind: str) -> Draft | None:
    """Pass a number in the place of an array that holds it, without the call that made the array.

    The other keyword of such a call is a dtype.
    """
    inner = given.args[0] if isinstance(given, ast.Call) and len(given.args) == 1 else None
    is_made = inner is not None and frame.callee(given) in _ARRAY_OF
    text = frame.module.text(inner) if is_made and inner is not None else None
    return Draft(frame.module).replace(given, text or f"{kind}({frame.module.text(given)})")


_ARRAY_OF = {
    f"{library}.{name}"
    for library in ("jax.numpy", "numpy")
    for name in ("array", "asarray", "int32", "int64", "bool_")
}


def _hashable(frame: FrameContext, given: ast.expr) -> Draft | None:
    draft = Draft(frame.module)
    if isinstance(given, ast.List) and not any(isinstance(e, ast.List) for e in given.elts):
        inner = frame.module.text(given)[1:-1].strip()
        comma = "," if len(given.elts) == 1 else ""
        return draft.replace(given, f"({inner}{comma})")
    kind = frame.kind(given) or ("list" if isinstance(given, ast.List | ast.ListComp) else None)
    if kind == "list":
        value = bound_value(frame.module, given)
        is_nested = isinstance(value, ast.List) and any(isinstance(e, ast.List) for e in value.elts)
        inner = frame.module.text(given)
        return draft.replace(
            given, f"tuple(map(tuple, {inner}))" if is_nested else f"tuple({inner})"
        )
    return None


def _frozen(found: AtJit) -> Drafts:
    """Freeze the dataclass of the learner's whose object could not be hashed."""
    for module in found.context.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and node.name == found.facts.get("name"):
                yield _freeze(Draft(module), node)


def _freeze(draft: Draft, node: ast.ClassDef) -> Draft | None:
    for decorator in node.decorator_list:
        path = last_name(getattr(decorator, "func", decorator))
        if path == "dataclass" and isinstance(decorator, ast.Call):
            return add_argument(draft, decorator, "frozen=True")
        if path == "dataclass":
            return draft.after(decorator, "(frozen=True)")
    return None


def right_argument(found: AtJit) -> Drafts:
    """Make the argument static that is used as a Python value."""
    jit = found.jit
    if jit is None or jit.call is None or jit.function is None:
        return
    names = parameter_names(jit.function)
    static = static_names(jit)
    yield from _nearest_name(jit, names)
    for name in names:
        if name not in static and uses_as_python_value(jit, name):
            yield _instead(jit, name)
    yield from (unname_static(jit, name) for name in sorted(static & set(names)))


def _options(jit: AppliedTransform) -> Iterator[ast.Constant]:
    """List the constants of a jit's static options."""
    for name in ("static_argnames", "static_argnums"):
        keyword = keyword_of(jit.call, name) if jit.call is not None else None
        value = keyword.value if keyword is not None else None
        items = elements_or_itself(value)
        yield from (i for i in items if isinstance(i, ast.Constant))


def _nearest_name(jit: AppliedTransform, names: list[str]) -> Iterator[Draft | None]:
    """Replace a name that no parameter has by the one most like it."""
    for item in _options(jit):
        if isinstance(item.value, str) and item.value not in names:
            near = difflib.get_close_matches(item.value, names, 1, 0.6)
            quote = jit.module.text(item)[0]
            if near:
                yield Draft(jit.module).replace(item, f"{quote}{near[0]}{quote}")


def _instead(jit: AppliedTransform, name: str) -> Draft | None:
    """Name another parameter in the place of the one that is named."""
    items = list(_options(jit))
    position = parameter_position(jit, name)
    if len(items) != 1:
        return None
    draft = Draft(jit.module)
    if isinstance(items[0].value, str):
        return draft.replace(items[0], f'"{name}"')
    return draft.replace(items[0], str(position)) if position is not None else None


def name_in_outer_jit(found: AtJit) -> Drafts:
    """Make what the inner jit wants static also static in the outer one."""
    jit, frame, call = found.jit, found.context.frame, found.context.call
    if jit is None or jit.function is None or frame is None or call is None:
        return
    given = [argument_for(jit.function, call, name) for name in sorted(static_names(jit))]
    for value in given:
        if value is not None and frame.is_traced(value):
            inner = value if isinstance(value, ast.Name) else _only_name(frame, value)
            if inner is not None:
                yield make_static(found.context, inner.id)


def bind_by_name(found: BoundFirst) -> Drafts:
    """Bind the values of a partial by the names of the last parameters."""
    draft = Draft(found.module)
    for name, value in zip(found.names, found.bound, strict=True):
        draft.replace(value, f"{name}={found.module.text(value)}")
    yield draft


def _only_name(frame: FrameContext, value: ast.expr) -> ast.Name | None:
    names = [n for n in ast.walk(value) if isinstance(n, ast.Name) and frame.is_traced(n)]
    return names[0] if len({n.id for n in names}) == 1 else None


def changes_each_call(found: StaticChanges) -> Drafts:
    """Make a number that changes at each call no longer static."""
    if found.jit is not None and found.name:
        yield unname_static(found.jit, found.name)


RULES = (
    Rule(
        "nonarray-field-not-static",
        raised(field_not_static),
        static_field,
        before=("nonarray-arg-not-static",),
    ),
    Rule(
        "tracer-to-static-arg",
        raised(tracer_to_static),
        by_match(name_in_outer_jit, bind_by_name),
        before=("unhashable-static",),
    ),
    Rule(
        "wrong-static-argnums", raised(wrong_static), right_argument, before=("unhashable-static",)
    ),
    Rule("unhashable-static", raised(unhashable), hashable),
    Rule(
        "device-as-argument",
        raised(not_static),
        name_argument,
        before=("nonarray-arg-not-static",),
        needs_source=True,
    ),
    Rule("self-not-static", raised(self_not_static), name_self),
    Rule("nonarray-arg-not-static", raised(not_static), name_argument, needs_source=True),
    Rule(
        "static-arg-changes-each-call",
        observed((StaticNumber, static_number), (StaticChange, static_change)),
        changes_each_call,
    ),
)
