"""Finds sites of a guide of NumPyro that have no name of a site of its model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in, keyword_value


class RenamedSite(Finding, frozen=True, kw_only=True):
    """The name of a site of a guide, and the name that the site has in the model."""

    meant: str


def read_guides(module: Module) -> Iterator[RenamedSite]:
    """Yield the one site of a guide that its model lacks, if the guide lacks one of the model's."""
    for call in module.nodes:
        pair = _model_and_guide(module, call) if isinstance(call, ast.Call) else None
        if pair is None:
            continue
        missing, extra = _apart(module, *pair)
        if len(missing) == 1 and len(extra) == 1:
            (name, site), (meant, _) = *extra.items(), *missing.items()
            facts = {
                "name": name,
                "function": name_of(pair[1]),
                "container": name_of(pair[0]),
                "argument": meant,
            }
            yield RenamedSite(module=module, node=site, facts=facts, meant=meant)


def _model_and_guide(module: Module, call: ast.Call) -> tuple[FunctionNode, FunctionNode] | None:
    """Return the functions that a call of `SVI` gets, if the file defines both."""
    path = module.dotted(call.func) or ""
    model, guide = argument(call, 0, "model"), argument(call, 1, "guide")
    if not path.startswith("numpyro.") or not path.endswith(".SVI") or not (model and guide):
        return None
    defined = resolve(module, model, call), resolve(module, guide, call)
    return (defined[0], defined[1]) if defined[0] and defined[1] else None


def _apart(
    module: Module, model: FunctionNode, guide: FunctionNode
) -> tuple[dict[str, ast.expr], dict[str, ast.expr]]:
    """Return the sites that only the model has, and those that only the guide has."""
    ours, theirs = _sites(module, model), _sites(module, guide)
    if ours is None or theirs is None:
        return {}, {}
    missing = {name: site for name, site in ours.items() if name not in theirs}
    return missing, {name: site for name, site in theirs.items() if name not in ours}


def _sites(module: Module, function: FunctionNode) -> dict[str, ast.expr] | None:
    """Map the names of the sites that are not observed to their nodes; None if one is not known."""
    found: dict[str, ast.expr] = {}
    for call in calls_in(function):
        path = module.dotted(call.func) or ""
        if path != "numpyro.sample":
            if "handlers" in path or path.startswith("numpyro.contrib") or _is_own(module, call):
                return None  # it may rename sites, or have more of them
            continue
        name = argument(call, 0, "name")
        if not isinstance(name, ast.Constant):
            return None
        is_latent = len(call.args) < 3 and keyword_value(call, "obs") is None
        if is_latent and keyword_value(call, "infer") is None:
            found[str(name.value)] = name
    return found


def _is_own(module: Module, call: ast.Call) -> bool:
    """Return whether a call calls a function of the file."""
    return resolve(module, call.func, call) is not None


def rename_site(found: RenamedSite) -> Drafts:
    """Give the site the name that it has in the model."""
    yield Draft(found.module).certain().replace(found.node, repr_of(found.meant))


def repr_of(name: str) -> str:
    """Write a name as a text of Python in double quotes."""
    return f'"{name}"' if '"' not in name else repr(name)


RULES = (Rule("guide-site-not-in-model", read(read_guides), rename_site),)
