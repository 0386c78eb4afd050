"""Matches and fixes models of `nnx.eval_shape` that are called before they have values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of
from jaxtutor.core.diagnosis.reading.functions import returns_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_SHAPES = ("flax.nnx.eval_shape", "flax.nnx.abstract_with_sharding", "jax.eval_shape")


class AbstractModel(InContext, frozen=True, kw_only=True):
    """A model without values: `made` assigns it, and `restored` are statements that restore."""

    module: Module
    made: ast.Assign
    restored: ast.stmt | None
    wrong: ast.expr | None = None


def abstract_model(context: FailureContext) -> AbstractModel | None:
    """A model of `nnx.eval_shape` is used as if it had values."""
    if "ShapeDtypeStruct" not in context.message:
        return None
    found = list(_abstract_assignments(context))
    if len(found) != 1:
        return None
    module, made = found[0]
    name = module.text(made.targets[0])
    scope = module.scope(made)
    restored = [s for s in ast.walk(scope) if isinstance(s, ast.stmt) and _restores(s)]
    last = restored[-1] if len(restored) == 1 else None
    taken = path_of(last.targets[0]) if isinstance(last, ast.Assign) else None
    wrong = _merged_again(module, scope, made) if taken is not None else None
    facts = {
        "name": name,
        "function": module.text(getattr(made.value, "func", made.value)),
        "argument": taken or "state",
        "condition": module.text(last) if last is not None else "",
    }
    if wrong is not None:
        facts["container"] = module.text(wrong)
    form = "merged" if wrong is not None else "dropped" if isinstance(last, ast.Expr) else ""
    place = module.location(wrong or (last if isinstance(last, ast.Expr) else made))
    return AbstractModel(
        place,
        facts,
        form,
        context=context,
        module=module,
        made=made,
        restored=last,
        wrong=wrong,
    )


def _abstract_assignments(context: FailureContext) -> Iterator[tuple[Module, ast.Assign]]:
    """Yield the assignments of models of NNX that were made without values."""
    for module in context.modules.values():
        for node in module.nodes:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            path = module.dotted(node.value.func)
            is_nnx = path in _SHAPES[:2] or (path == _SHAPES[2] and "nnx" in module.text(node))
            if is_nnx and path_of(node.targets[0]) is not None:
                yield module, node


def _restores(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Assign | ast.Expr) and method_of(value) == "restore"


def _merged_again(module: Module, scope: ast.AST, made: ast.Assign) -> ast.expr | None:
    """Return the abstract state that `nnx.merge` gets, which a split of the model made."""
    name = path_of(made.targets[0])
    for node in calls_in(scope):
        if module.dotted(node.func) != "flax.nnx.merge":
            continue
        for given in node.args[1:]:
            if _is_part_of(module, scope, given, name):
                return given
    return None


def _is_part_of(module: Module, scope: ast.AST, given: ast.expr, name: str | None) -> bool:
    for node in ast.walk(scope):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        value = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Call) or not value.args:
            continue
        parts = [path_of(part) for part in target.elts[1:]]
        is_split = module.dotted(value.func) == "flax.nnx.split"
        if is_split and path_of(value.args[0]) == name and path_of(given) in parts:
            return True
    made = bound_value(module, given)
    is_state = isinstance(made, ast.Call) and module.dotted(made.func) == "flax.nnx.state"
    return is_state and isinstance(made, ast.Call) and path_of(made.args[0]) == name


def fill_model(found: AbstractModel) -> Drafts:
    """Put what was restored into the model."""
    module, last = found.module, found.restored
    if found.wrong is not None:
        yield Draft(module).certain().replace(found.wrong, found.facts["argument"])
    elif found.form == "dropped" and isinstance(last, ast.Expr):
        draft = Draft(module).certain()
        taken = fresh_name(module, "state", "restored")
        update = draft.name("flax.nnx.update")
        model = module.text(found.made.targets[0])
        draft.before(last, f"{taken} = ")
        yield draft.after(last, f"\n{indent_of(module, last)}{update}({model}, {taken})")
    elif isinstance(last, ast.Assign) and path_of(last.targets[0]) is not None:
        draft = Draft(module).certain()
        model, indent = module.text(found.made.targets[0]), indent_of(module, last)
        call = f"{draft.name('flax.nnx.update')}({model}, {found.facts['argument']})"
        function = module.function(found.made)
        is_given = function is not None and any(
            path_of(r.value) == model for r in returns_of(function)
        )
        if is_given or function is None:
            yield draft.after(last, f"\n{indent}{call}")


RULES = (Rule("abstract-model-used", raised(abstract_model), fill_model),)
