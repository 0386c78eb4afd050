"""Finds probabilities that a loss, a distribution or a sampler takes for logits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.training.model_ends import end_of, ends_of_call
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding, Finding
from jaxtutor.core.diagnosis.engine.rules import Read, Rule, by_match
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameters, returned
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.patterns import first_match

_MAKING = {
    f"{home}.{name}": name
    for home in ("jax.nn", "flax.linen", "flax.nnx")
    for name in ("softmax", "sigmoid")
} | {"jax.scipy.special.expit": "expit", "jax.scipy.special.softmax": "softmax"}
_DISTRIBUTIONS = ("numpyro.distributions.", "distrax.", "tensorflow_probability.")


class ProbabilitiesGiven(Finding, frozen=True, kw_only=True):
    """Probabilities that a distribution gets as its keyword `logits`, or a sampler as logits."""

    logits: ast.expr
    keyword: ast.keyword | None


def read_sampled_logits(module: Module) -> Iterator[ProbabilitiesGiven]:
    """Yield each call that gets the result of a softmax or sigmoid as logits."""
    for call in module.calls:
        keyword = _logits_of_distribution(module, call)
        logits = keyword.value if keyword is not None else _sampled_logits(module, call)
        made = bound_value(module, logits) if logits is not None else None
        function = _MAKING.get(module.dotted(getattr(made, "func", None)) or "")
        if logits is None or function is None:
            continue
        yield ProbabilitiesGiven(
            module=module,
            node=call,
            facts={
                "name": module.text(call.func),
                "function": function,
                "argument": module.text(logits),
            },
            form="sampled" if keyword is None else "distribution",
            logits=logits,
            keyword=keyword,
        )


_SAMPLERS = (
    "jax.random.categorical($key, $logits, ...)",
    "jax.random.categorical(..., logits=$logits)",
)


def _logits_of_distribution(module: Module, call: ast.Call) -> ast.keyword | None:
    path = module.dotted(call.func) or ""
    return keyword_of(call, "logits") if path.startswith(_DISTRIBUTIONS) else None


def _sampled_logits(module: Module, call: ast.Call) -> ast.expr | None:
    found = first_match(module, call, *_SAMPLERS)
    return found["logits"] if found is not None else None


def give_probabilities(found: ProbabilitiesGiven) -> Drafts:
    """Name the probabilities as such, or take their logarithm."""
    draft, text = Draft(found.module).certain(), found.module.text(found.logits)
    if found.keyword is not None:
        yield draft.replace(found.keyword, f"probs={text}")
    else:
        yield draft.replace(found.logits, f"{draft.name('jax.numpy.log')}({text})")


_LOSSES = {
    "softmax_cross_entropy": "softmax",
    "softmax_cross_entropy_with_integer_labels": "softmax",
    "sigmoid_binary_cross_entropy": "sigmoid",
}
_HOMES = ("optax.", "optax.losses.")
_ACTIVATIONS = ("jax.nn.", "flax.linen.", "flax.nnx.")
_MODULES = frozenset(
    {"flax.linen.Module", "flax.nnx.Module", "equinox.Module", "haiku.Module"},
)


class ActivatedTwice(ExpressionFinding, frozen=True, kw_only=True):
    """An activation, as a call or as a function, whose result a loss takes for logits."""


def read_losses(module: Module) -> Iterator[ActivatedTwice]:
    """Yield each softmax or sigmoid whose result a loss takes for logits."""
    for node in module.nodes:
        path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
        kind = _LOSSES.get(last_part(path)) if path.startswith(_HOMES) else None
        if not isinstance(node, ast.Call) or kind is None:
            continue
        logits = argument(node, 0, "logits")
        made = _activation(module, logits, kind) if logits is not None else None
        if made is not None:
            facts = {"name": module.text(node.func), "function": kind}
            yield ActivatedTwice(module=module, node=made, facts=facts)


def _activation(module: Module, logits: ast.expr, kind: str) -> ast.expr | None:
    """Return the activation that an expression is the result of: here, or at a model's end."""
    value = bound_value(module, logits)
    if _is_activation(module, value, kind):
        return value if isinstance(value, ast.Call) else None
    last = ends_of_call(module, value) if isinstance(value, ast.Call) else []
    if last and all(_is_activation(module, end, kind) for end in last):
        return last[0]
    model = whole_model(module)
    if model is None or not isinstance(value, ast.Call) or not _runs_model(module, value, model):
        return None
    found = [last for end in _ends(model) for last in end_of(module, end)]
    is_always = bool(found) and all(_is_activation(module, end, kind) for end in found)
    return found[0] if is_always else None


def _is_activation(module: Module, node: ast.expr, kind: str) -> bool:
    """Return whether an expression calls an activation, or is the function itself."""
    path = module.dotted(node.func if isinstance(node, ast.Call) else node) or ""
    return last_part(path) == kind and path.startswith(_ACTIVATIONS)


def whole_model(module: Module) -> ast.ClassDef | None:
    """Return the file's only class of models that no other class uses, if there is one."""
    classes = [n for n in module.nodes if isinstance(n, ast.ClassDef)]
    models = [c for c in classes if _MODULES & {module.dotted(base) or "" for base in c.bases}]
    whole = [m for m in models if not any(m.name in names_in(c) for c in classes if c is not m)]
    return whole[0] if len(whole) == 1 else None


def _runs_model(module: Module, call: ast.Call, model: ast.ClassDef) -> bool:
    """Return whether a call runs the model: `model.apply(…)`, `model(x)`, `jax.vmap(model)(x)`."""
    func = call.func
    if isinstance(func, ast.Call):
        is_map = (module.dotted(func.func) or "").endswith("vmap") and len(func.args) == 1
        return is_map and is_model(module, func.args[0], model)
    if isinstance(func, ast.Attribute):
        return func.attr in ("apply", "apply_fn")
    return is_model(module, func, model)


def is_model(module: Module, node: ast.expr, model: ast.ClassDef) -> bool:
    """Return whether a name is an object of the class, or a parameter that can only be one."""
    made = bound_value(module, node)
    if isinstance(made, ast.Call):
        return path_of(made.func) == model.name
    functions = [f for f in module.ancestors(node) if isinstance(f, FunctionNode)]
    given = {a.arg for f in functions for a in parameters(f)}
    return isinstance(node, ast.Name) and node.id in given


def _ends(model: ast.ClassDef) -> list[ast.expr]:
    """List what the method that runs a model returns."""
    calls = [f for f in model.body if getattr(f, "name", "") == "__call__"]
    ends = returned(calls[0]) if calls and isinstance(calls[0], Definition) else []
    return [end for end in ends if end is not None]


def keep_logits(found: ActivatedTwice) -> Drafts:
    """Leave the activation out."""
    module, node = found.module, found.node
    if isinstance(node, ast.Call) and node.args:
        yield Draft(module).replace(node, module.text(node.args[0]))
    else:
        yield _without_part(module, node)


def _without_part(module: Module, node: ast.AST) -> Draft | None:
    """Leave out the last part of a Sequential, or a keyword argument."""
    part: ast.AST = node
    owner = module.parents.get(part)
    is_wrapped = (module.dotted(getattr(owner, "func", None)) or "").endswith("Lambda")
    if owner is not None and (isinstance(owner, ast.keyword) or is_wrapped):
        part, owner = owner, module.parents.get(owner)
    parts: list[ast.AST] = []
    if isinstance(owner, ast.List | ast.Tuple):
        parts = list(owner.elts)
    elif isinstance(owner, ast.Call):
        parts = [*owner.args, *owner.keywords]
    if part not in parts[1:]:
        return None
    start, end = module.span(parts[parts.index(part) - 1]), module.span(part)
    span = Span(start.end_line, start.end_column, end.end_line, end.end_column)
    return Draft(module).replace(span, "")


RULES = (
    Rule(
        "probabilities-as-logits",
        Read((read_sampled_logits, read_losses)),
        by_match(give_probabilities, keep_logits),
    ),
)
