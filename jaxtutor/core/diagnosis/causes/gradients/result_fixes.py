"""Fixes gradients: what is differentiated, and with respect to what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.data.observations import NanGradient
from jaxtutor.core.diagnosis.causes.gradients.cotangents import (
    CustomRule,
    sum_over_batch,
)
from jaxtutor.core.diagnosis.causes.gradients.integers import IntegerLeaves, OfModule, int_input
from jaxtutor.core.diagnosis.causes.gradients.outputs import (
    compute_inside,
    of_other_value,
)
from jaxtutor.core.diagnosis.causes.gradients.results import (
    LEARNT,
    AtGrad,
    HandedLoss,
    SingleNumber,
    SolvedLoss,
    aux_not_declared,
    cotangent_count,
    differentiated_argument,
    nonscalar,
)
from jaxtutor.core.diagnosis.causes.gradients.trained import name_models
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import (
    add_argument,
    add_option,
    atom,
    fresh_name,
    tuple_text,
)
from jaxtutor.core.diagnosis.editing.state_parameter import take_out_parameters
from jaxtutor.core.diagnosis.editing.static_arguments import drop_option
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.observed.gradients import root_at_zero, through_where
from jaxtutor.core.diagnosis.reading.calls import keyword_of, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters, result_of
from jaxtutor.core.diagnosis.reading.names import all_names
from jaxtutor.core.diagnosis.reading.values import is_number


def reduce_to_scalar(found: AtGrad) -> Drafts:
    """Let the function that is differentiated return one number."""
    item = found.grad
    value = result_of(item.function) if item is not None and item.function is not None else None
    if item is None or value is None:
        yield _vmapped_gradient(item) if item is not None else None
        return
    is_single = re.search(r"shape: \((?:1,\s*)+\)", found.context.message) is not None
    for name in (*(["squeeze"] if is_single else []), "mean", "sum"):
        draft = Draft(item.module)
        draft.wrap(value, f"{draft.name('jax.numpy.' + name)}(", ")")
        yield draft.certain() if is_single else draft  # of one number the mean and the sum are it


def _squeeze_number(found: SingleNumber) -> Drafts:
    """Take the axes away where the number is made."""
    draft = Draft(found.source)
    yield draft.wrap(found.value, f"{draft.name('jax.numpy.squeeze')}(", ")").certain()


def _sum_of_loss(found: HandedLoss) -> Drafts:
    """Let the loss that a library differentiates return one number."""
    draft = Draft(found.source)
    if found.form == "batch":  # a sum over independent values would couple them
        return
    if not _is_sum(found.value):  # around a sum, a single number would be added many times
        yield draft.wrap(found.value, f"{draft.name('jax.numpy.sum')}(", ")")


def _vmapped_gradient(item: AppliedTransform) -> Draft | None:
    """Write `grad(jnp.tanh)(xs)` as a vmap of the gradient."""
    draft = Draft(item.module)
    wrapped = f"{draft.name('jax.vmap')}("
    return None if item.is_decorator else draft.wrap(item.node, wrapped, ")")


def declare_aux(found: AtGrad) -> Drafts:
    """Let has_aux say what the function returns, and its caller take both."""
    item = found.grad
    if item is None:
        return
    option = keyword_of(item.call, "has_aux") if item.call is not None else None
    if option is not None and item.call is not None:
        draft = Draft(item.module)
        if drop_option(draft, item.call, option, is_decorator=item.is_decorator):
            yield draft
        return
    taken = add_option(item, "has_aux=True")
    if _is_nested(found):
        yield taken.certain()
        return
    is_here = found.call is not None and found.module is taken.module
    if is_here and found.call and _take_aux(taken, found.call, item) and _returns_pair(item):
        taken.certain()
    yield taken
    yield add_option(item, "has_aux=True")


def _declare_to_solver(found: SolvedLoss) -> Drafts:
    yield add_argument(Draft(found.module_of).certain(), found.solver, "has_aux=True")


def _is_sum(value: ast.expr) -> bool:
    """Return whether an expression adds terms, or is a name that may stand for a sum."""
    is_added = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub)
    return is_added or isinstance(value, ast.Name)


def _is_nested(found: AtGrad) -> bool:
    """Return whether the call is unpacked as `(value, aux), grads`, which means has_aux."""
    statement = found.module.parents.get(found.call) if found.call is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
    return is_pair and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Tuple)


def _returns_pair(item: AppliedTransform) -> bool:
    """Return whether the function returns two things, of which the first is the value."""
    value = result_of(item.function) if item.function is not None else None
    return isinstance(value, ast.Tuple) and len(value.elts) == 2


def _take_aux(draft: Draft, call: ast.Call, item: AppliedTransform) -> bool:
    """Let the assignment of the gradient take the auxiliary value too; False if it cannot."""
    statement = draft.module.parents.get(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    extra = fresh_name(draft.module, "aux", "extra")
    if item.kind == "value_and_grad":
        if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
            draft.replace(target.elts[0], f"({target.elts[0].id}, {extra})")
            return True
        return False
    if isinstance(target, ast.Name):
        draft.replace(target, f"{target.id}, {extra}")
        return True
    given = keyword_value(item.call, "argnums") if item.call is not None else None
    is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
    return is_pair and (given is None or isinstance(given, ast.Constant))


def float_input(found: AtGrad) -> Drafts:
    """Differentiate with respect to a float."""
    given = differentiated_argument(found)
    if found.form == "train_state":
        if found.grad is not None and found.call is not None:
            yield take_out_parameters(found.grad, found.call)
        return
    if given is not None:
        draft = _as_float(found.frame, given)
        is_only = found.call is not None and len(found.call.args) == 1  # else argnums may be wrong
        yield draft.certain() if is_number(given) and is_only else draft


def _of_nnx(found: OfModule) -> Drafts:
    """Take the gradient with NNX, with respect to the parameters of the module."""
    draft = Draft(found.home)
    path = f"flax.{found.facts['function']}"
    yield draft.certain().replace(found.named, draft.name(path))


def _write_floats(found: IntegerLeaves) -> Drafts:
    """Write the integers as floats: where they serve as sizes, the program then fails."""
    draft = Draft(found.home)
    for number in found.integers:
        draft.after(number, ".0")
    yield draft.certain() if found.is_trained else draft
    given = differentiated_argument(found)
    if found.form == "made" and given is not None:
        yield _as_float(found.frame, given)


def _as_float(frame: FrameContext, given: ast.expr) -> Draft:
    draft, text = Draft(frame.module), frame.module.text(given)
    if is_number(given):
        return draft.replace(given, f"{text}.0")
    leaves = list(_display_leaves(given))
    if leaves != [given] and all(map(is_number, leaves)):
        for leaf in leaves:
            if frame.module.text(leaf).lstrip("-").isdigit():
                draft.replace(leaf, f"{frame.module.text(leaf)}.0")
        return draft.certain()
    array = draft.name("jax.numpy.asarray")
    if frame.kind(given) in ("dict", "list", "tuple"):
        name = draft.name("jax.tree.map")
        return draft.replace(given, f"{name}(lambda leaf: {array}(leaf, dtype=float), {text})")
    return draft.replace(given, f"{array}({text}, dtype=float)")


def _display_leaves(given: ast.expr) -> Iterator[ast.expr]:
    """Yield what is written in a dict, list or tuple, and in those inside it."""
    match given:
        case ast.Dict(values=inner) | ast.List(elts=inner) | ast.Tuple(elts=inner):
            for each in inner:
                yield from _display_leaves(each)
        case _:
            yield given


def name_parameters(found: AtGrad) -> Drafts:
    """Let argnums name the parameters."""
    item = found.grad
    if item is not None and found.form == "beyond":
        yield _counted_from_zero(item, found.params or 0)
    if item is None or item.function is None or found.form:
        return
    if found.params is not None:
        yield add_option(item, f"argnums={found.params}").certain()
        return
    names = parameter_names(item.function)
    known = [names.index(n) for n in LEARNT if n in names and names.index(n) > 0]
    for position in dict.fromkeys([*known, *range(1, min(len(names), 3))]):
        yield add_option(item, f"argnums={position}")


def _counted_from_zero(item: AppliedTransform, count: int) -> Draft | None:
    """Subtract one from argnums, where that leaves arguments that are passed."""
    option = item.option("argnums")
    given = [n for n in ast.walk(option) if isinstance(n, ast.expr)] if option is not None else []
    numbers = [n for n in given if isinstance(n, ast.Constant) and type(n.value) is int]
    are_plain = all(isinstance(n, ast.Constant | ast.Tuple | ast.List) for n in given)
    draft = Draft(item.module)
    for number in numbers:
        draft.replace(number, str(_whole_constant(number) - 1))
    is_count = all(0 < _whole_constant(n) <= count for n in numbers)
    return draft if numbers and are_plain and is_count else None


def one_cotangent_each(found: CustomRule) -> Drafts:
    """Return one cotangent for each argument of the primal function."""
    for module, primal, rule in found.rules:
        value = result_of(rule)
        if value is None or not isinstance(primal, ast.FunctionDef):
            continue
        wanted = len(parameters(primal))
        values = value.elts if isinstance(value, ast.Tuple) else [value]
        given = [*map(module.text, values), *["None"] * (wanted - len(values))]
        given = given[: wanted if isinstance(value, ast.Tuple) else max(wanted, 1)]
        if isinstance(rule, ast.FunctionDef):
            yield Draft(module).replace(value, tuple_text(given))


# ---------------------------------------------------------------- findings


def double_where(found: Finding) -> Drafts:
    """Compute the branch that is not taken at a safe value as well."""
    for call in ast.walk(found.node):
        path = found.module.dotted(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and path == "jax.numpy.where" and len(call.args) == 3:
            yield _safe(found.module, call)


def _safe(module: Module, call: ast.Call) -> Draft | None:
    test, then, other = call.args
    used = all_names(test)
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


def safe_root(found: Finding) -> Drafts:
    """Give the root of zero a gradient of its own."""
    module = found.module
    for call in ast.walk(found.node):
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and path == "jax.numpy.sqrt" and len(call.args) == 1:
            draft, text = Draft(module), atom(module, call.args[0])
            where, root = draft.name("jax.numpy.where"), module.text(call.func)
            safe = f"{where}({text} > 0, {root}({where}({text} > 0, {text}, 1.0)), 0.0)"
            yield draft.replace(call, safe)


def _whole_constant(node: ast.Constant) -> int:
    assert isinstance(node.value, int)
    return node.value


RULES = (
    Rule(
        "grad-aux-not-declared", raised(aux_not_declared), by_match(declare_aux, _declare_to_solver)
    ),
    Rule(
        "grad-nonscalar",
        raised(nonscalar),
        by_match(reduce_to_scalar, _sum_of_loss, _squeeze_number),
    ),
    Rule(
        "grad-wrong-argnum",
        raised(of_other_value),
        by_match(name_parameters, compute_inside, name_models),
        before=("grad-int-input",),
    ),
    Rule("grad-int-input", raised(int_input), by_match(float_input, _of_nnx, _write_floats)),
    Rule(
        "custom-vjp-cotangent-count",
        raised(cotangent_count),
        by_match(one_cotangent_each, sum_over_batch),
    ),
    Rule("nan-grad-through-where", observed((NanGradient, through_where)), double_where),
    Rule("nan-grad-of-norm-at-zero", observed((NanGradient, root_at_zero)), safe_root),
)
