"""Owns the mending of gradients: what is differentiated, and with respect to what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import argument, is_number, keyword_of, parameters, result_of
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument, atom, fresh_name
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rewriting.static_arguments import drop_option
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module
from jaxtutor.core.diagnosis.transforms import AppliedTransform, applied, find, resolve

_GRADS = ("grad", "value_and_grad", "jacrev", "jacfwd", "hessian")


def _grad(site: FixSite) -> AppliedTransform | None:
    """Find the grad at fault in any of the learner's frames; else the only one of the file."""
    if site.context is None:
        return None
    for frame in reversed(site.context.frames):
        found = find(site.context, *_GRADS, at=frame.node) if frame.node is not None else None
        if found is not None:
            return found
    every = [a for m in site.context.modules.values() for a in applied(m) if a.kind in _GRADS]
    return every[0] if len(every) == 1 else None


def nonscalar(site: FixSite) -> Drafts:
    """The function that is differentiated gives one number."""
    item = _grad(site)
    if item is None:
        return
    value = result_of(item.function) if item.function is not None else None
    if value is None or item.function is None:
        yield _mapped(item)
        return
    module, text = item.module, item.module.text(value)
    if re.search(r"shape: \((?:1,\s*)+\)", site.message):
        draft = Draft(module)
        yield draft.replace(value, f"{draft.name('jax.numpy.squeeze')}({text})")
    for name in ("mean", "sum"):
        draft = Draft(module)
        yield draft.replace(value, f"{draft.name('jax.numpy.' + name)}({text})")


def _mapped(item: AppliedTransform) -> Draft | None:
    """`grad(jnp.tanh)(xs)` becomes a vmap of the gradient."""
    if item.is_decorator:
        return None
    draft = Draft(item.module)
    return draft.wrap(item.node, f"{draft.name('jax.vmap')}(", ")")


def aux(site: FixSite) -> Drafts:
    """has_aux says what the function returns, and its caller takes both."""
    item = _grad(site)
    if item is None:
        return
    option = keyword_of(item.call, "has_aux") if item.call is not None else None
    if option is not None and item.call is not None:
        draft = Draft(item.module)
        if drop_option(draft, item.call, option, is_decorator=item.is_decorator):
            yield draft
        return
    taken = _declare(item)
    if taken is not None:
        _take_aux(taken, site, item)
    yield taken
    yield _declare(item)


def _declare(item: AppliedTransform) -> Draft | None:
    draft = Draft(item.module)
    if item.call is not None:
        return add_argument(draft, item.call, "has_aux=True")
    text = item.module.text(item.node)
    return draft.replace(item.node, f"{draft.name('functools.partial')}({text}, has_aux=True)")


def _take_aux(draft: Draft, site: FixSite, item: AppliedTransform) -> None:
    """Let the assignment of the gradient take the auxiliary value too."""
    found = site.call()
    if found is None or found[0].module is not draft.module:
        return
    statement = draft.module.parents.get(found[1])
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    extra = fresh_name(draft.module, "aux", "extra")
    if item.kind == "value_and_grad":
        if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
            draft.replace(target.elts[0], f"({target.elts[0].id}, {extra})")
    elif isinstance(target, ast.Name):
        draft.replace(target, f"{target.id}, {extra}")


def integer_input(site: FixSite) -> Drafts:
    """What is differentiated is a float."""
    item, found = _grad(site), site.call()
    if item is None or found is None:
        return
    frame, call = found
    option = item.option("argnums")
    positions = [option.value] if isinstance(option, ast.Constant) else [0]
    for position in positions:
        given = argument(call, position) if isinstance(position, int) else None
        if given is not None:
            yield from _as_float(frame, given)


def _as_float(frame: FrameContext, given: ast.expr) -> Iterator[Draft | None]:
    module, draft = frame.module, Draft(frame.module)
    text = module.text(given)
    if is_number(given):
        yield draft.replace(given, f"{text}.0")
        return
    kind = frame.kind(given)
    if kind in ("dict", "list", "tuple"):
        array = draft.name("jax.numpy.asarray")
        name = draft.name("jax.tree.map")
        yield draft.replace(given, f"{name}(lambda leaf: {array}(leaf, dtype=float), {text})")
        return
    yield draft.replace(given, f"{draft.name('jax.numpy.asarray')}({text}, dtype=float)")


_LEARNT = ("params", "param", "weights", "theta", "w", "model", "parameters", "W", "b")


def wrong_argument(site: FixSite) -> Drafts:
    """argnums names the parameters."""
    item = _grad(site) or _grad_of_file(site)
    if item is None or item.function is None:
        return
    names = [a.arg for a in parameters(item.function)]
    known = [names.index(n) for n in _LEARNT if n in names and names.index(n) > 0]
    for position in dict.fromkeys([*known, *range(1, min(len(names), 3))]):
        draft = Draft(item.module)
        if item.call is not None:
            yield add_argument(draft, item.call, f"argnums={position}")
        else:
            name = draft.name("functools.partial")
            text = f"{name}({item.module.text(item.node)}, argnums={position})"
            yield draft.replace(item.node, text)


def _grad_of_file(site: FixSite) -> AppliedTransform | None:
    module = site.module
    here = [a for a in applied(module) if a.node is site.node] if module is not None else []
    return here[0] if here else None


def cotangents(site: FixSite) -> Drafts:
    """The bwd rule gives one cotangent for each argument of the primal function."""
    for module, primal, rule in _rules(site):
        value = result_of(rule)
        wanted = len(parameters(primal))
        if value is None:
            continue
        text = module.text(value)
        if not isinstance(value, ast.Tuple):
            rest = ", ".join(["None"] * (wanted - 1))
            yield Draft(module).replace(value, f"({text}, {rest})" if rest else f"({text},)")
            continue
        count = len(value.elts)
        if count < wanted:
            given = [module.text(e) for e in value.elts] + ["None"] * (wanted - count)
        else:
            given = [module.text(e) for e in value.elts[:wanted]]
        comma = "," if len(given) == 1 else ""
        yield Draft(module).replace(value, f"({', '.join(given)}{comma})")


def _rules(site: FixSite) -> Iterator[tuple[Module, ast.FunctionDef, ast.FunctionDef]]:
    """List the custom rules: the function that has one, and its bwd."""
    for module in site.modules.values():
        for call in ast.walk(module.tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            given = argument(call, 1, "bwd") if call.func.attr == "defvjp" else None
            rule = resolve(module, given, call) if given is not None else None
            primal = resolve(module, call.func.value, call)
            if isinstance(rule, ast.FunctionDef) and isinstance(primal, ast.FunctionDef):
                yield module, primal, rule


def double_where(site: FixSite) -> Drafts:
    """The branch not taken is computed at a safe value as well."""
    module, node = site.module, site.node
    if module is None or node is None:
        return
    for call in ast.walk(node):
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and path == "jax.numpy.where" and len(call.args) == 3:
            yield _safe(module, call)


def _safe(module: Module, call: ast.Call) -> Draft | None:
    test, then, other = call.args
    used = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    for branch, order in ((then, "{name}, 1.0"), (other, "1.0, {name}")):
        reads = [n for n in ast.walk(branch) if isinstance(n, ast.Name) and n.id in used]
        if isinstance(branch, ast.Name | ast.Constant) or not reads:
            continue
        draft = Draft(module)
        where, condition = module.text(call.func), module.text(test)
        for read in reads:
            draft.replace(read, f"{where}({condition}, {order.format(name=read.id)})")
        return draft
    return None


def safe_root(site: FixSite) -> Drafts:
    """The root of zero has a gradient of its own."""
    module, node = site.module, site.node
    if module is None or node is None:
        return
    for call in ast.walk(node):
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and path == "jax.numpy.sqrt" and len(call.args) == 1:
            draft, inner = Draft(module), call.args[0]
            where, root = draft.name("jax.numpy.where"), module.text(call.func)
            text = atom(module, inner)
            safe = f"{where}({text} > 0, {root}({where}({text} > 0, {text}, 1.0)), 0.0)"
            yield draft.replace(call, safe)


FIXERS: dict[str, Fixer] = {
    "grad-nonscalar": nonscalar,
    "grad-aux-not-declared": aux,
    "grad-int-input": integer_input,
    "grad-wrong-argnum": wrong_argument,
    "custom-vjp-cotangent-count": cotangents,
    "nan-grad-through-where": double_where,
    "nan-grad-of-norm-at-zero": safe_root,
}
