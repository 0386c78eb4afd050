"""Finds evaluations that run a model in training mode, and training that runs it in the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.training.inference import (
    read_inference,
    switch_to_inference,
)
from jaxtutor.core.diagnosis.causes.training.logits import is_model, whole_model
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, indent_of
from jaxtutor.core.diagnosis.engine.matches import CallFinding, Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, by_match, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied, differentiated, reached, resolve
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in, calls_to, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.names import all_names, bound_value
from jaxtutor.core.diagnosis.words import SAMPLES, says

_TRAINING = {"train": True, "training": True, "is_training": True, "deterministic": False}
"""The flags that usually switch dropout and batch normalization, and their value in training."""

_SWITCHES = ("train", "set_attributes", "set_mode", "view")
_LAYERS = ("flax.nnx.Dropout", "flax.nnx.BatchNorm")


def wrong_modes(module: Module) -> Iterator[Finding]:
    """Yield the calls that run a model in the mode of training outside of it, or never go back."""
    yield from _applied_as_in_training(module)
    yield from _left_in_evaluation(module)
    yield from _never_in_evaluation(module)
    yield from read_inference(module)


# ---------------------------------------------------------------- Linen


class AppliedInTraining(CallFinding, frozen=True, kw_only=True):
    """A call that applies a model as in training: by `flags`, or by the default of `left`."""

    flags: tuple[ast.expr, ...]
    left: str


def _applied_as_in_training(module: Module) -> Iterator[AppliedInTraining]:
    """`model.apply(…, train=True, rngs={"dropout": key})` in a function without a gradient."""
    calls = [n for n in module.calls if _trains(module, n)]
    trained = _trained(module) if calls else set()
    inside = [c for c in calls if _is_in(module, c, trained)]
    for call in calls:
        if not inside or call in inside or _is_repeated_on_purpose(module, call):
            continue
        if _mutates(call) and not _drops_statistics(module, call):
            continue
        flags = tuple(_training_flags(module, call))
        left = _default_flag(module, call)
        yield AppliedInTraining(module=module, node=call, flags=flags, left=left)


def _trained(module: Module) -> set[FunctionNode]:
    """Return the functions that a file differentiates; none if it does not show all of them."""
    gradients = [a for a in applied(module) if "grad" in a.kind]
    return set() if any(a.function is None for a in gradients) else differentiated(module)


def _trains(module: Module, call: ast.Call) -> bool:
    """Return whether a call applies a model with dropout, or with statistics that it updates."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("apply", "apply_fn"):
        return False
    is_random = _drops_out(call) or _mutates(call) or _haiku_function(module, call) is not None
    return is_random and (any(_training_flags(module, call)) or bool(_default_flag(module, call)))


def _training_flags(module: Module, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the constants in a call that ask for training."""
    given = [(k.arg or "", k.value) for k in call.keywords]
    function = _haiku_function(module, call)
    model = whole_model(module) if function is None else None
    methods = [n for n in model.body if getattr(n, "name", "") == "__call__"] if model else []
    if function is not None:
        given += zip(
            parameter_names(function), call.args[2:], strict=False
        )  # parameters and a key first
    elif methods and isinstance(methods[0], Definition):
        given += zip(parameter_names(methods[0])[1:], call.args[1:], strict=False)
    for name, value in given:
        wanted = _TRAINING.get(name)
        if wanted is not None and getattr(value, "value", None) is wanted:
            yield value


def _default_flag(module: Module, call: ast.Call) -> str:
    """Return the flag that a call leaves at its default, if that is the mode of training."""
    model = whole_model(module) if _haiku_function(module, call) is None else None
    methods = [n for n in model.body if getattr(n, "name", "") == "__call__"] if model else []
    if not methods or not isinstance(methods[0], Definition) or not _passes_plainly(call):
        return ""
    arguments = methods[0].args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    defaults = arguments.defaults
    values = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    values |= {a.arg: value for a, value in keywords if value is not None}
    given = {*names[1 : len(call.args)], *(k.arg for k in call.keywords)}
    left = [
        name
        for name, value in values.items()
        if name in _TRAINING and name not in given
        if isinstance(value, ast.Constant) and value.value is _TRAINING[name]
    ]
    return left[0] if len(left) == 1 else ""


def _passes_plainly(call: ast.Call) -> bool:
    """Return whether a call runs `__call__`, and spreads no arguments."""
    is_spread = any(isinstance(a, ast.Starred) for a in call.args)
    return not is_spread and all(k.arg not in (None, "method") for k in call.keywords)


def _haiku_function(module: Module, call: ast.Call) -> FunctionNode | None:
    """Return the function with dropout that `haiku.transform` made the called object from."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    made = bound_value(module, owner)
    function: FunctionNode | None = module.function_named(path_of(owner) or "")
    if isinstance(made, ast.Call) and module.dotted(made.func) == "haiku.transform" and made.args:
        function = resolve(module, made.args[0], made)
    elif not any(module.dotted(d) == "haiku.transform" for d in _decorators(function)):
        return None
    inner = list(calls_in(function)) if function else []
    return function if any(module.dotted(n.func) == "haiku.dropout" for n in inner) else None


def _drops_out(call: ast.Call) -> bool:
    return any(k.arg == "rngs" and _has_text(k.value, "dropout") for k in call.keywords)


def _mutates(call: ast.Call) -> bool:
    return any(k.arg == "mutable" and _has_text(k.value, "batch_stats") for k in call.keywords)


def _has_text(node: ast.expr, text: str) -> bool:
    return any(isinstance(n, ast.Constant) and n.value == text for n in ast.walk(node))


def _is_in(module: Module, node: ast.AST, functions: set[FunctionNode]) -> bool:
    return any(outer in functions for outer in module.ancestors(node))


def _drops_statistics(module: Module, call: ast.Call) -> bool:
    """Return whether nothing takes the statistics that a call returns beside its output."""
    statement, parent = module.statement(call), module.parents.get(call)
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.slice, ast.Constant) and parent.slice.value == 0
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    match targets:
        case [ast.Tuple(elts=[_, ast.Name(id=name)])] if statement and parent is statement:
            scope = module.scope(call)
            return name not in names_in(scope)
    return False


def _is_repeated_on_purpose(module: Module, call: ast.AST) -> bool:
    """Return whether a call is mapped over keys, or repeated: dropout then makes the samples."""
    around = [n for n in module.ancestors(call) if isinstance(n, FunctionNode)]
    names = [getattr(f, "name", "") for f in around]
    if any(says(name, SAMPLES) for name in names):
        return True
    mapped = [a.function for a in applied(module) if a.kind in ("vmap", "map", "scan")]
    outer = module.ancestors(call)
    in_list = any(isinstance(n, ast.ListComp | ast.GeneratorExp | ast.Lambda) for n in outer)
    return in_list or any(f in mapped for f in around)


def _draws_samples(module: Module, call: ast.Call) -> bool:
    """Return whether a call is repeated for the same inputs, with other keys at most.

    Such an evaluation keeps several draws of the model. A loop that also trains evaluates it as it
    becomes.
    """
    loop = next((n for n in module.ancestors(call) if isinstance(n, _REPEATING)), None)
    if loop is None:
        return False
    if isinstance(loop, ast.For):
        gradients = [a.node for a in applied(module) if "grad" in a.kind]
        nodes = {n for part in (loop, *reached(module, loop)) for n in ast.walk(part)}
        if any(node in nodes for node in gradients) or _is_discarded(module, call):
            return False
        pairs = [(loop.target, loop.iter)]
    else:
        pairs = [(each.target, each.iter) for each in loop.generators]
    given = names_in(call)
    varying = [values for target, values in pairs if given & all_names(target)]
    return all(_are_keys(module, values) for values in varying)


_REPEATING = (ast.For, ast.ListComp, ast.GeneratorExp)


def _are_keys(module: Module, values: ast.expr) -> bool:
    """Return whether an expression is an array of keys."""
    made = bound_value(module, values)
    return isinstance(made, ast.Call) and module.dotted(made.func) == "jax.random.split"


def _is_discarded(module: Module, call: ast.Call) -> bool:
    """Return whether nothing takes the result of a call."""
    return isinstance(module.parents.get(call), ast.Expr)


def _decorators(function: FunctionNode | None) -> list[ast.expr]:
    return function.decorator_list if isinstance(function, Definition) else []


# ---------------------------------------------------------------- NNX and Equinox


class LeftInEvaluation(CallFinding, frozen=True, kw_only=True):
    """A switch of `model` to evaluation in a loop that trains and never switches back."""

    loop: Loop
    model: str


def _left_in_evaluation(module: Module) -> Iterator[LeftInEvaluation]:
    """`model.eval()` in a loop that also trains, and in which nothing calls `model.train()`."""
    if not any(_is_layer(module, n) for n in module.nodes):
        return
    for loop in (n for n in module.nodes if isinstance(n, Loop)):
        parts = [loop, *reached(module, loop)]
        nodes = [n for part in parts for n in ast.walk(part)]
        calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
        if any(c.func.attr in _SWITCHES for c in calls if isinstance(c.func, ast.Attribute)):
            continue
        switches = [c for c in calls if _is_eval(module, c)]
        trains = any(a.node in nodes for a in applied(module) if "grad" in a.kind)
        if switches and trains and not _has_outer_loop(module, loop):
            model = module.text(switches[0].func.value)  # type: ignore[attr-defined]
            yield LeftInEvaluation(
                None,
                {"name": model},
                "stays",
                module=module,
                node=switches[0],
                loop=loop,
                model=model,
            )


def _has_outer_loop(module: Module, loop: ast.AST) -> bool:
    return any(isinstance(n, Loop) for n in module.ancestors(loop))


def _is_eval(module: Module, call: ast.Call) -> bool:
    """Return whether a call is the statement `model.eval()`."""
    is_statement = isinstance(module.parents.get(call), ast.Expr)
    is_eval = method_of(call) == "eval"
    return is_statement and is_eval and not call.args and not call.keywords


def _is_layer(module: Module, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and module.dotted(node.func) in _LAYERS


_SETTING = ("eval", "inference", "deterministic", "use_running_average", "inference_mode", "view")


class NeverInEvaluation(CallFinding, frozen=True, kw_only=True):
    """A call of a model in `function`, which evaluates it as it is in training."""

    function: Definition


def _never_in_evaluation(module: Module) -> Iterator[NeverInEvaluation]:
    """A model of NNX with dropout that is called without a gradient, and always as in training."""
    has_layer = any(_is_layer(module, n) for n in module.nodes)
    if not has_layer or any(_names_mode(n) for n in module.nodes):
        return
    model, trained = whole_model(module), _trained(module)
    inside = [c for f in trained for c in calls_in(f)]
    if model is None or not any(is_model(module, c.func, model) for c in inside):
        return
    for function in module.functions:
        if function in trained or not isinstance(function, Definition):
            continue
        calls = [n for n in own_nodes(function) if isinstance(n, ast.Call)]
        found = [c for c in calls if _is_given_model(module, c, function, model)]
        is_sampled = any(_draws_samples(module, c) for c in calls_to(module, function.name))
        if len(found) == 1 and not is_sampled and not _is_repeated_on_purpose(module, found[0]):
            facts = {"name": module.text(found[0].func)}
            yield NeverInEvaluation(
                None, facts, "never", module=module, node=found[0], function=function
            )


def _names_mode(node: ast.AST) -> bool:
    """Return whether a node is a name of one of the settings that switch a mode."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "arg", "")
    return name in _SETTING


def _is_given_model(
    module: Module, call: ast.Call, function: Definition, model: ast.ClassDef
) -> bool:
    """Return whether a call runs a model that is a parameter of a function."""
    given = set(parameter_names(function)) - {"self"}
    is_parameter = isinstance(call.func, ast.Name) and call.func.id in given
    if not is_parameter or model in module.ancestors(call):
        return False
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    position = parameter_names(function).index(name)
    passed = [c.args[position] for c in calls_to(module, function.name) if len(c.args) > position]
    return bool(passed) and all(
        isinstance(p, ast.Name) and is_model(module, p, model) for p in passed
    )


# ---------------------------------------------------------------- corrections


def turn_flags(found: AppliedInTraining) -> Drafts:
    """Turn the flags of a call, or add the one that it left at its default."""
    draft, call = Draft(found.module), found.node
    for flag in found.flags:
        draft.replace(flag, str(not getattr(flag, "value", None)))
    if not found.flags:
        add_argument(draft, call, f"{found.left}={not _TRAINING[found.left]}")
    yield _without_statistics(draft, call) if _mutates(call) else draft


def switch_back(found: LeftInEvaluation) -> Drafts:
    """Switch back to training where the loop begins."""
    module, loop, model = found.module, found.loop, found.model
    if loop in module.ancestors(found.node) and model in names_in(loop):
        yield _add_first(module, loop, f"{model}.train()")


def switch_around_evaluations(found: NeverInEvaluation) -> Drafts:
    """Switch to evaluation before each call of the function that evaluates, and back after it."""
    module, function, name = found.module, found.function, path_of(found.node.func)
    if name is None or "." in name:
        return
    draft, seen = Draft(module), set[ast.stmt]()
    for outer in calls_to(module, function.name):
        statement, model = module.statement(outer), path_of(argument_for(function, outer, name))
        if statement is None or model is None or not isinstance(statement, ast.Assign | ast.Expr):
            return
        if statement not in seen:
            seen.add(statement)
            indent = indent_of(module, statement)
            draft.add_lines(statement.lineno, f"{indent}{model}.eval()")
            draft.lines_after(statement, f"{indent}{model}.train()")
    yield draft


def _without_statistics(draft: Draft, call: ast.Call) -> Draft | None:
    """Leave `mutable=` out, and the name that takes the statistics."""
    module, statement = draft.module, draft.module.statement(call)
    position = next(n for n, k in enumerate(call.keywords) if k.arg == "mutable")
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords[:position]]
    end = module.span(call.keywords[position])
    start = module.span(given[-1])
    draft = draft.replace(Span(start.end_line, start.end_column, end.end_line, end.end_column), "")
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=[first, _]) as target]):
            return draft.replace(target, module.text(first))
    return None


def _add_first(module: Module, loop: Loop, text: str) -> Draft:
    """Add a statement to the beginning of a loop's body."""
    span = module.span(loop.body[0])
    indent = module.lines[span.line - 1][: span.column]
    return Draft(module).add_lines(span.line, f"{indent}{text}")


RULES = (
    Rule(
        "training-mode-in-evaluation",
        read(wrong_modes, imports=TRAINING),
        by_match(turn_flags, switch_back, switch_around_evaluations, switch_to_inference),
    ),
)
