"""Finds models of NumPyro that get data and do not observe it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import calls_in, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import is_none

_KERNELS = {"NUTS": 1, "HMC": 1, "BarkerMH": 1, "SA": 1, "AIES": 1, "ESS": 1, "SVI": 2}
"""What takes a model first, and how many arguments of `run` come before those of the model."""
_OTHER_WAYS = ("factor", "condition", "substitute", "block", "scale", "subsample")


class UnobservedSite(CallFinding, frozen=True, kw_only=True):
    """A site that should observe `data`; empty if the model leaves several parameters unread."""

    data: str


def read_unobserved(module: Module) -> Iterator[UnobservedSite]:
    """Yield the site that should observe the data which a model gets and never reads."""
    if not any(path.startswith("numpyro") for path in module.imports.values()):
        return
    if any(_is_other_way(module, n) for n in module.nodes):
        return
    for call in (n for n in module.calls if n.args):
        kind = last_part(module.dotted(call.func))
        model = resolve(module, call.args[0], call) if kind in _KERNELS else None
        if model is None or _observes(module, model):
            continue
        unread = _unread_parameters(module, model)
        for name in unread:
            site = _site_for(module, model, name)
            if site is not None and _is_passed(module, model, name, _KERNELS[kind]):
                facts = {"name": name, "function": name_of(model)}
                data = name if len(unread) == 1 else ""
                yield UnobservedSite(module=module, node=site, facts=facts, data=data)


def _is_other_way(module: Module, node: ast.AST) -> bool:
    path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
    return path.startswith("numpyro.") and last_part(path) in _OTHER_WAYS


def _sites(module: Module, model: FunctionNode) -> list[ast.Call]:
    calls = list(calls_in(model))
    return [c for c in calls if module.dotted(c.func) == "numpyro.sample"]


def _observes(module: Module, model: FunctionNode) -> bool:
    """Return whether a model has an observed site, or calls functions that may have one."""
    sites = _sites(module, model)
    if any(len(s.args) > 2 or keyword_value(s, "obs") is not None for s in sites):
        return True
    calls = list(calls_in(model))
    return any(resolve(module, c.func, c) is not None for c in calls)


def _unread_parameters(module: Module, model: FunctionNode) -> list[str]:
    """List the parameters of which a model reads nothing, or the shape alone."""
    names = [n for n in ast.walk(model) if isinstance(n, ast.Name)]
    read = {n.id for n in names if not _is_only_measured(module, n)}
    return [a.arg for a in parameters(model) if a.arg not in read and a.arg[0] != "_"]


def _is_only_measured(module: Module, name: ast.Name) -> bool:
    """Return whether a name stands for its shape: `x.shape`, `len(x)`."""
    parent = module.parents.get(name)
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("shape", "size", "ndim", "dtype")
    func = parent.func if isinstance(parent, ast.Call) else None
    return isinstance(func, ast.Name) and func.id == "len"


def _is_passed(module: Module, model: FunctionNode, name: str, before: int) -> bool:
    """Return whether a call of `run` passes a value for a parameter of the model."""
    position = parameter_names(model).index(name) + before
    for call in module.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "run":
            continue
        given = keyword_value(call, name)
        if given is None and len(call.args) > position:
            given = call.args[position]
        value = bound_value(module, given) if given is not None else None
        if value is not None and not (is_none(value)):
            return True
    return False


def _site_for(module: Module, model: FunctionNode, name: str) -> ast.Call | None:
    """Return the site with the name of a parameter, or the last one if only that is in a plate."""
    sites = _sites(module, model)
    named = [s for s in sites if s.args and getattr(s.args[0], "value", None) == name]
    if named:
        return named[0] if len(named) == 1 else None
    in_plate = [s for s in sites if any(isinstance(n, ast.With) for n in module.ancestors(s))]
    return in_plate[0] if len(in_plate) == 1 and in_plate[0] is sites[-1] else None


def observe(found: UnobservedSite) -> Drafts:
    """Pass the data that the model does not read to the site, as its observations."""
    if found.data:
        yield add_argument(Draft(found.module), found.node, f"obs={found.data}")


RULES = (Rule("observations-not-given", read(read_unobserved), observe),)
