"""Owns the mending of static arguments: naming one, taking one out, making one hashable."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from jaxtutor.core.data.model import Span
from jaxtutor.core.diagnosis.context import FrameContext, parameters
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.static_args.match import (
    jit_of,
    not_an_array,
    uses_as_python_value,
)
from jaxtutor.core.diagnosis.rewriting.site import (
    Drafts,
    Fixer,
    FixSite,
    add_argument,
    argument_for,
    bound_value,
    keyword_of,
)
from jaxtutor.core.diagnosis.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.transforms import AppliedTransform, applied, static_names

# ---------------------------------------------------------------- naming a static argument


def jits_of(module: Module, function: FunctionNode) -> list[AppliedTransform]:
    """List the places where a function is jitted."""
    return [a for a in applied(module) if a.kind == "jit" and a.function is function]


def name_static(draft: Draft, jit: AppliedTransform, name: str) -> Draft | None:
    """Name a parameter in a jit, in the way its options are already written."""
    if name in static_names(jit):
        return draft
    if jit.call is None:
        return _decorate(draft, jit, f'static_argnames="{name}"')
    names = keyword_of(jit.call, "static_argnames")
    numbers = keyword_of(jit.call, "static_argnums")
    if names is not None:
        return _add_item(draft, names.value, f'"{name}"')
    position = _position(jit, name)
    if numbers is not None and position is not None:
        return _add_item(draft, numbers.value, str(position))
    return add_argument(draft, jit.call, f'static_argnames="{name}"')


def _decorate(draft: Draft, jit: AppliedTransform, option: str) -> Draft:
    text = draft.module.text(jit.node)
    return draft.replace(jit.node, f"{draft.name('functools.partial')}({text}, {option})")


def _position(jit: AppliedTransform, name: str) -> int | None:
    assert jit.function is not None
    given = jit.function.args
    names = [a.arg for a in (*given.posonlyargs, *given.args)]
    return names.index(name) if name in names else None


def _add_item(draft: Draft, value: ast.expr, item: str) -> Draft | None:
    if isinstance(value, ast.Constant):
        return draft.replace(value, f"({draft.module.text(value)}, {item})")
    if isinstance(value, ast.Tuple | ast.List) and value.elts:
        return draft.after(value.elts[-1], f", {item}")
    return None


def make_static(site: FixSite, name: str | None = None) -> Draft | None:
    """Make the argument that a traced value comes from static, in every jit on the way."""
    found = _traced_parameter(site, name)
    if found is None:
        return None
    frame, parameter = found
    draft = Draft(frame.module)
    return draft if _name_on_the_way(site, draft, frame, parameter) else None


def _traced_parameter(site: FixSite, name: str | None) -> tuple[FrameContext, str] | None:
    """Find the scalar parameter to make static and the frame of its function."""
    context = site.context
    if context is None:
        return None
    if name is None:
        origin = context.failure.origin
        if not origin or not origin[0].aval.endswith("[]"):
            return None
        name = context.argument
    found = context.parameter(name) if name is not None else None
    return (found[0], found[1].arg) if found is not None else None


def _name_on_the_way(site: FixSite, draft: Draft, frame: FrameContext, name: str) -> bool:
    """Name a parameter in the jits of its function, and of the callers that hand it on."""
    assert site.context is not None
    frames = site.context.frames[: site.context.frames.index(frame) + 1]
    named = False
    current: str | None = name
    seen: set[FunctionNode] = set()
    for position in range(len(frames) - 1, -1, -1):
        here = frames[position]
        if current is None or here.module is not draft.module or here.function is None:
            break
        if here.function not in seen:
            seen.add(here.function)
            for jit in jits_of(here.module, here.function):
                named = name_static(draft, jit, current) is not None or named
        current = _handed(frames, position, current)
    return named


def _handed(frames: list[FrameContext], position: int, name: str) -> str | None:
    """Name the caller's parameter that a call hands on under a name."""
    if position == 0:
        return None
    here, caller = frames[position], frames[position - 1]
    call = caller.node
    if here.function is None or not isinstance(call, ast.Call):
        return None
    given = argument_for(here.function, call, name)
    names = {a.arg for a in parameters(caller.function)}
    return given.id if isinstance(given, ast.Name) and given.id in names else None


def static_argument(site: FixSite) -> Drafts:
    """The argument that the size comes from is made static."""
    yield make_static(site)


# ---------------------------------------------------------------- what jit accepts


def not_static(site: FixSite) -> Drafts:
    """A string, function or settings object is made static."""
    context = site.context
    found = not_an_array(context) if context is not None else None
    jit = jit_of(context) if context is not None and found is not None else None
    if found is None or jit is None or jit.function is None:
        return
    name = re.split(r"[.\[]", found[1], maxsplit=1)[0]
    names = [a.arg for a in parameters(jit.function)]
    if name not in names:
        return
    draft = Draft(jit.module)
    yield name_static(draft, jit, name)


def static_self(site: FixSite) -> Drafts:
    """`self` is made static."""
    jit = jit_of(site.context) if site.context is not None else None
    if jit is None or not jit.is_decorator:
        return
    draft = Draft(jit.module)
    first = parameters(jit.function)[0].arg
    if jit.call is None:
        yield _decorate(draft, jit, "static_argnums=0")
    else:
        yield name_static(draft, jit, first)


def unhashable(site: FixSite) -> Drafts:
    """A list becomes a tuple, a dataclass frozen; an array is static no longer."""
    jit, found = _jit_and_call(site)
    if jit is None:
        return
    if found is not None:
        frame, call = found
        for name in sorted(static_names(jit)):
            assert jit.function is not None
            given = argument_for(jit.function, call, name)
            if given is not None:
                yield _hashable(frame, given)
    yield from (_not_static(jit, name) for name in sorted(static_names(jit)))


def _jit_and_call(
    site: FixSite,
) -> tuple[AppliedTransform | None, tuple[FrameContext, ast.Call] | None]:
    if site.context is None:
        return None, None
    jit = jit_of(site.context)
    return (jit if jit is not None and jit.function is not None else None), site.call()


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
    return _frozen(draft, frame, given) if kind == "other" else None


def _frozen(draft: Draft, frame: FrameContext, given: ast.expr) -> Draft | None:
    fact = frame.fact(given)
    name = fact.detail.rpartition(".")[2] if fact is not None else ""
    for node in ast.walk(frame.module.tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _freeze(draft, node)
    return None


def _freeze(draft: Draft, node: ast.ClassDef) -> Draft | None:
    for decorator in node.decorator_list:
        path = (path_of(getattr(decorator, "func", decorator)) or "").rpartition(".")[2]
        if path == "dataclass" and isinstance(decorator, ast.Call):
            return add_argument(draft, decorator, "frozen=True")
        if path == "dataclass":
            return draft.after(decorator, "(frozen=True)")
    return None


def _not_static(jit: AppliedTransform, name: str) -> Draft | None:
    """Take a parameter out of a jit's static ones."""
    draft = Draft(jit.module)
    if jit.call is None:
        return None
    names = keyword_of(jit.call, "static_argnames")
    numbers = keyword_of(jit.call, "static_argnums")
    for keyword, wanted in ((names, name), (numbers, _position(jit, name))):
        if keyword is not None and wanted is not None and _take_out(draft, jit, keyword, wanted):
            return draft
    return None


def _take_out(draft: Draft, jit: AppliedTransform, keyword: ast.keyword, wanted: str | int) -> bool:
    value = keyword.value
    items = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
    rest = [i for i in items if not (isinstance(i, ast.Constant) and i.value == wanted)]
    if len(rest) == len(items):
        return False
    if rest:
        texts = [draft.module.text(i) for i in rest]
        draft.replace(value, texts[0] if len(texts) == 1 else f"({', '.join(texts)})")
        return True
    assert jit.call is not None
    return drop_option(draft, jit.call, keyword, is_decorator=jit.is_decorator)


def drop_option(draft: Draft, call: ast.Call, keyword: ast.keyword, *, is_decorator: bool) -> bool:
    """Take an option out of a call; a bare decorator stays where nothing else is left."""
    module = draft.module
    if len(call.keywords) == 1 and is_decorator and len(call.args) <= 1:
        bare = call.args[0] if call.args else call.func
        draft.replace(call, module.text(bare))
        return True
    others = [n for n in (*call.args, *call.keywords) if n is not keyword]
    span = module.span(keyword)
    before = [n for n in others if _is_before(module, n, span)]
    if before:
        last = module.span(before[-1])
        place = Span(last.end_line, last.end_column, span.end_line, span.end_column)
    elif others:
        first = module.span(others[0])
        place = Span(span.line, span.column, first.line, first.column)
    else:
        place = span
    draft.replace(place, "")
    return True


def _is_before(module: Module, node: ast.AST, span: Span) -> bool:
    found = module.span(node)
    return (found.line, found.column) < (span.line, span.column)


def wrong_static(site: FixSite) -> Drafts:
    """The static argument is the one that is used as a Python value."""
    context = site.context
    jit = jit_of(context) if context is not None else None
    if jit is None or jit.call is None or jit.function is None:
        jit = _jit_at(site)
    if jit is None or jit.call is None or jit.function is None:
        return
    names = [a.arg for a in parameters(jit.function)]
    static = static_names(jit)
    yield from _nearest_name(jit, names)
    for name in _python_values(jit, names):
        if name not in static:
            yield _instead(jit, name)
    last = _one_too_far(jit, names)
    yield last
    yield from (_not_static(jit, name) for name in sorted(static & set(names)))


def _jit_at(site: FixSite) -> AppliedTransform | None:
    module = site.module
    if module is None:
        return None
    here = [a for a in applied(module) if a.kind == "jit" and a.node is site.node]
    return here[0] if len(here) == 1 else None


def _options(jit: AppliedTransform) -> Iterator[ast.Constant]:
    """List the constants of a jit's static options."""
    for name in ("static_argnames", "static_argnums"):
        keyword = keyword_of(jit.call, name) if jit.call is not None else None
        value = keyword.value if keyword is not None else None
        items = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
        yield from (i for i in items if isinstance(i, ast.Constant))


def _nearest_name(jit: AppliedTransform, names: list[str]) -> Iterator[Draft | None]:
    """Replace a name that no parameter has by the one most like it."""
    for item in _options(jit):
        if isinstance(item.value, str) and item.value not in names:
            near = difflib.get_close_matches(item.value, names, 1, 0.6)
            quote = jit.module.text(item)[0]
            if near:
                yield Draft(jit.module).replace(item, f"{quote}{near[0]}{quote}")


def _python_values(jit: AppliedTransform, names: list[str]) -> list[str]:
    return [n for n in names if uses_as_python_value(jit, n)]


def _instead(jit: AppliedTransform, name: str) -> Draft | None:
    """Name another parameter in the place of the one that is named."""
    items = list(_options(jit))
    position = _position(jit, name)
    if len(items) != 1:
        return None
    draft = Draft(jit.module)
    if isinstance(items[0].value, str):
        return draft.replace(items[0], f'"{name}"')
    return draft.replace(items[0], str(position)) if position is not None else None


def _one_too_far(jit: AppliedTransform, names: list[str]) -> Draft | None:
    """Count a position from zero that was counted from one."""
    items = [i for i in _options(jit) if isinstance(i.value, int) and i.value >= len(names)]
    if len(items) != 1 or not isinstance(items[0].value, int):
        return None
    return Draft(jit.module).replace(items[0], str(len(names) - 1))


def tracer_to_static(site: FixSite) -> Drafts:
    """What the inner jit wants static is made static in the outer one too."""
    context, found = site.context, site.call()
    jit = jit_of(context) if context is not None else None
    if context is None or found is None or jit is None or jit.function is None:
        return
    frame, call = found
    given = [argument_for(jit.function, call, name) for name in sorted(static_names(jit))]
    for value in given:
        if value is not None and frame.is_traced(value):
            inner = value if isinstance(value, ast.Name) else _only_name(frame, value)
            if inner is not None:
                yield make_static(site, inner.id)


def _only_name(frame: FrameContext, value: ast.expr) -> ast.Name | None:
    names = [n for n in ast.walk(value) if isinstance(n, ast.Name) and frame.is_traced(n)]
    return names[0] if len({n.id for n in names}) == 1 else None


def changes_each_call(site: FixSite) -> Drafts:
    """A number that changes at each call is static no longer."""
    jit = _jit_at(site)
    if jit is None or jit.function is None:
        return
    free = [n for n in sorted(static_names(jit)) if not uses_as_python_value(jit, n)]
    if len(free) == 1:
        yield _not_static(jit, free[0])


FIXERS: dict[str, Fixer] = {
    "nonarray-arg-not-static": not_static,
    "self-not-static": static_self,
    "unhashable-static": unhashable,
    "wrong-static-argnums": wrong_static,
    "tracer-to-static-arg": tracer_to_static,
    "static-arg-changes-each-call": changes_each_call,
}
