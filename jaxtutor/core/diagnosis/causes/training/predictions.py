"""Finds predictions of NumPyro that are given the values they are to predict."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding, Finding, finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, bound_names, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_none


def read_predictions(module: Module) -> Iterator[Finding]:
    """Yield the observations that a call of `Predictive` passes on, if it then reads that site."""
    if not any(path.startswith("numpyro") for path in module.imports.values()):
        return
    for call in module.nodes:
        model = _model_of(module, call) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or model is None:
            continue
        for site, name in _observed_sites(module, model):
            given = _model_argument(model, call, name)
            if (
                given is None
                or _is_always_none(module, given)
                or not _is_site_read(module, call, site)
            ):
                continue
            facts = {"name": site, "argument": name, "function": module.text(call.func)}
            yield ExpressionFinding(module=module, node=given, facts=facts)
        for site, obs in _always_observed(module, model):
            if _is_site_read(module, call, site):
                facts = {"name": site, "argument": module.text(obs), "form": "always"}
                facts["function"] = name_of(model)
                yield finding(module, obs, facts)


def _always_observed(module: Module, model: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Yield the sites that observe an attribute, which no argument of the model can leave out."""
    for node in calls_in(model):
        if module.dotted(node.func) != "numpyro.sample":
            continue
        obs, site = keyword_value(node, "obs"), node.args[0] if node.args else None
        if isinstance(site, ast.Constant) and isinstance(obs, ast.Attribute):
            assigned = [v for n in module.nodes for v in _values_of_attribute(n, obs.attr)]
            if assigned and not any(_is_always_none(module, value) for value in assigned):
                yield str(site.value), obs


def _values_of_attribute(node: ast.AST, attribute: str) -> Iterator[ast.expr]:
    """Yield what a statement assigns to an attribute of this name."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr == attribute:
                yield node.value


def _model_of(module: Module, call: ast.Call) -> FunctionNode | None:
    """Return the model whose sites a call predicts."""
    made = bound_value(module, call.func)
    if not isinstance(made, ast.Call) or not made.args:
        return None
    path = module.dotted(made.func) or ""
    is_predictive = path.startswith("numpyro.") and path.endswith(".Predictive")
    return resolve(module, made.args[0], made) if is_predictive else None


def _observed_sites(module: Module, model: FunctionNode) -> Iterator[tuple[str, str]]:
    """Yield the observed sites of a model with the parameter that each is observed from."""
    given = set(parameter_names(model))
    for node in calls_in(model):
        if module.dotted(node.func) != "numpyro.sample":
            continue
        obs = keyword_value(node, "obs")
        site = node.args[0] if node.args else None
        if isinstance(obs, ast.Name) and obs.id in given and isinstance(site, ast.Constant):
            yield str(site.value), obs.id


def _model_argument(model: FunctionNode, call: ast.Call, name: str) -> ast.expr | None:
    """Return what a call of a `Predictive` passes for a parameter of the model, after the key."""
    keyword = keyword_value(call, name)
    if keyword is not None or any(isinstance(a, ast.Starred) for a in call.args):
        return keyword
    names = [a.arg for a in (*model.args.posonlyargs, *model.args.args)]
    position = names.index(name) + 1 if name in names else len(call.args)
    return call.args[position] if position < len(call.args) else None


def _is_always_none(module: Module, node: ast.expr) -> bool:
    value = bound_value(module, node)
    return is_none(value)


def _is_site_read(module: Module, call: ast.Call, site: str) -> bool:
    """Return whether the program reads a site of the result of a call."""
    statement = module.statement(call)
    is_kept = isinstance(statement, ast.Assign) and statement.value is call
    names = bound_names(statement) if is_kept and statement is not None else set()
    for node in ast.walk(module.scope(call)):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=key)) if key == site:
                if value is call or path_of(value) in names:
                    return True
    return False


def predict_them(found: Finding) -> Drafts:
    """Pass None in the place of the observations; a site that always has them needs a parameter."""
    if isinstance(found, ExpressionFinding):
        yield Draft(found.module).certain().replace(found.node, "None")


RULES = (
    Rule("predictive-given-observations", read(read_predictions, imports=TRAINING), predict_them),
)
