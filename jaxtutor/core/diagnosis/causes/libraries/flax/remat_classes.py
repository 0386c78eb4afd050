"""Matches and fixes classes of NNX that `nnx.remat` gets, as linen's `nn.remat` does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of

_REMAT = ("flax.nnx.remat", "flax.nnx.checkpoint")


class RematOfClass(InContext, frozen=True, kw_only=True):
    """A call of `nnx.remat` with a class, or such a decorator; `node` is what names the class."""

    module: Module
    remat: ast.expr
    made: ast.ClassDef
    is_decorator: bool


def remat_of_class(context: FailureContext) -> RematOfClass | None:
    """A class of modules is passed to `nnx.remat`, which takes a function."""
    found = list(_classes(context))
    if len(found) != 1:
        return None
    module, remat, made, is_decorator = found[0]
    text = module.text(remat.func if isinstance(remat, ast.Call) else remat)
    facts = {"name": made.name, "function": text, "argument": f"@{text}"}
    place = module.location(remat)
    return RematOfClass(
        place,
        facts,
        context=context,
        module=module,
        remat=remat,
        made=made,
        is_decorator=is_decorator,
    )


def _classes(context: FailureContext) -> Iterator[tuple[Module, ast.expr, ast.ClassDef, bool]]:
    for module in context.modules.values():
        made = {n.name: n for n in module.nodes if isinstance(n, ast.ClassDef)}
        for one in made.values():
            for decorator in one.decorator_list:
                if module.dotted(decorator) in _REMAT:
                    yield module, decorator, one, True
        for node in module.nodes:
            is_remat = isinstance(node, ast.Call) and module.dotted(node.func) in _REMAT
            if is_remat and isinstance(node, ast.Call) and len(node.args) == 1:
                name = path_of(node.args[0])
                if name in made:
                    yield module, node, made[name], False


def remat_the_call(found: RematOfClass) -> Drafts:
    """Decorate the method that computes, and keep the class as it is."""
    module, made = found.module, found.made
    call = next((n for n in made.body if getattr(n, "name", "") == "__call__"), None)
    if not isinstance(call, ast.FunctionDef):
        return
    draft = Draft(module).certain()
    if found.is_decorator:
        line = found.remat.lineno
        draft.replace(Span(line, 0, line + 1, 0), "")
    else:
        draft.replace(found.remat, made.name)
    top = min([call.lineno, *(d.lineno for d in call.decorator_list)])
    indent = " " * call.col_offset
    yield draft.add_lines(top, f"{indent}{found.facts['argument']}")


RULES = (Rule("nnx-remat-of-class", raised(remat_of_class), remat_the_call),)
