"""Matches the causes in export, compiled programs, primitives and Pallas kernels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import (
    AtCall,
    AtFrame,
    AtNode,
    InContext,
    at_call,
    at_node,
)
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    definition_place,
    every,
    name_of,
    resolve,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in, keyword_of, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters, result_of
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_string


class SymbolicSpec(InContext, frozen=True, kw_only=True):
    """A ShapeDtypeStruct with `None` or a negative size: `shape` holds it."""

    module: Module
    shape: ast.Tuple | ast.List


class InFunction(InContext, frozen=True, kw_only=True):
    """A cause in a function that JAX called: a rule, a kernel or an index map."""

    module: Module
    function: FunctionNode


class RuleArity(InFunction, frozen=True, kw_only=True):
    """A rule that lacks the parameters `missing`, which JAX passes first."""

    missing: tuple[str, ...]


class PolicyText(InContext, frozen=True, kw_only=True):
    """A policy of a checkpoint, named by a text."""

    module: Module
    node: ast.Constant


class ParamsInBind(AtCall, frozen=True, kw_only=True):
    """A primitive that is bound with `**params`."""

    params: ast.expr


class IndexMap(AtFrame, frozen=True, kw_only=True):
    """An index map that takes or returns another number of indices; `count` is how many it gets."""

    module_of: Module
    function: FunctionNode | None
    count: int


# ---------------------------------------------------------------- export and compiled programs


def dimension_missing(context: FailureContext) -> SymbolicSpec | None:
    """A size is `None`, negative or a string where an open size is meant."""
    found = [spec for module in context.modules.values() for spec in _open_specs(module)]
    if len(found) != 1:
        return None
    module, call, shape = found[0]
    return SymbolicSpec(
        module.location(call),
        {"name": module.text(shape)},
        context=context,
        module=module,
        shape=shape,
    )


def _open_specs(module: Module) -> Iterator[tuple[Module, ast.Call, ast.Tuple | ast.List]]:
    for call in module.calls:
        if module.dotted(call.func) != "jax.ShapeDtypeStruct":
            continue
        shape = argument(call, 0, "shape")
        if isinstance(shape, ast.Tuple | ast.List) and any(map(is_open, shape.elts)):
            yield module, call, shape


def is_open(size: ast.expr) -> bool:
    """Return whether a size is written as `None`, as a negative number or as a string."""
    if isinstance(size, ast.UnaryOp) and isinstance(size.op, ast.USub):
        return isinstance(size.operand, ast.Constant)
    return isinstance(size, ast.Constant) and (size.value is None or isinstance(size.value, str))


def dimensions_not_equal(context: FailureContext) -> AtNode | None:
    """Two symbolic sizes meet that are equal only by chance."""
    found = at_node(context)
    shapes = re.findall(r"\(([^()]*)\)", context.message)
    sizes = {size.strip() for shape in shapes for size in shape.split(",")}
    names = sorted(size for size in sizes if re.fullmatch(r"[a-z_]\w*", size))
    if found is None or not names:
        return None
    return replace(found, facts={"name": names[0]})


def staged_called(context: FailureContext) -> AtCall | None:
    """An exported or lowered program is called like a function."""
    call = at_call(context)
    said = re.search(r"'(Exported|Lowered)' object", context.message)
    if call is None or said is None:
        return None
    way = {"Exported": "call(…)", "Lowered": "compile()(…)"}[said[1]]
    facts = {"class": said[1], "name": call.module.text(call.node.func), "argument": way}
    return replace(call, facts=facts)


# ---------------------------------------------------------------- primitives

_RULES = {
    "Evaluation rule": "primitive.def_impl(function)",
    "Abstract evaluation": "primitive.def_abstract_eval(function)",
    "MLIR translation rule": "mlir.register_lowering(primitive, rule)",
    "Batching rule": "batching.primitive_batchers[primitive] = rule",
    "Differentiation rule": "ad.primitive_jvps[primitive] = rule",
    "Transpose rule": "ad.primitive_transposes[primitive] = rule",
}


def rule_missing(context: FailureContext) -> AtNode | None:
    """A primitive of the learner's lacks the rule that a transformation needs."""
    found = at_node(context)
    kind = next((kind for kind in _RULES if context.message.startswith(kind)), None)
    name = re.search(r"for (?:primitive )?'([\w-]+)'", context.message)
    if found is None or kind is None or name is None or not _defines(context, name[1]):
        return None
    facts = {"name": name[1], "container": kind.lower().replace("mlir", "MLIR")}
    return replace(found, facts={**facts, "argument": _RULES[kind]})


def _defines(context: FailureContext, primitive: str) -> bool:
    """Return whether one of the learner's files makes a primitive of this name."""
    made = (
        argument(call, 0, "name")
        for module in context.modules.values()
        for call in module.calls
        if last_part(module.dotted(call.func) or "") == "Primitive"
    )
    return any(isinstance(name, ast.Constant) and name.value == primitive for name in made)


def abstract_eval(context: FailureContext) -> InFunction | None:
    """An abstract evaluation returns something that is not a ShapedArray."""
    if not context.passed_through("default_process_primitive", "abstract_eval", "make_eqn"):
        return None
    for module in context.modules.values():
        for call in module.nodes:
            function = _defined_abstractly(module, call)
            if function is not None:
                place = result_place(module, function)
                return InFunction(place, {}, context=context, module=module, function=function)
    return None


def params_in_bind(context: FailureContext) -> ParamsInBind | None:
    """The parameters of an equation are handed to `bind` as they are."""
    found = at_call(context)
    if found is None or not isinstance(found.node.func, ast.Attribute):
        return None
    given = [k.value for k in found.node.keywords if k.arg is None]
    if found.node.func.attr != "bind" or len(given) != 1 or isinstance(given[0], ast.Call):
        return None
    module = found.module
    facts = {"name": module.text(given[0]), "function": module.text(found.node.func.value)}
    return ParamsInBind(None, facts, context=context, node=found.node, params=given[0])


def _defined_abstractly(module: Module, node: ast.AST) -> FunctionNode | None:
    """Return the function of `p.def_abstract_eval(f)` if it returns a ShapeDtypeStruct."""
    if isinstance(node, ast.FunctionDef):
        names = [getattr(d, "attr", "") for d in node.decorator_list]
        function: FunctionNode | None = node if "def_abstract_eval" in names else None
    elif isinstance(node, ast.Call) and method_of(node) == "def_abstract_eval":
        function = resolve(module, node.args[0], node) if node.args else None
    else:
        return None
    value = result_of(function) if function is not None else None
    made = module.dotted(value.func) if isinstance(value, ast.Call) else None
    return function if made == "jax.ShapeDtypeStruct" else None


def custom_rule(context: FailureContext) -> InFunction | None:
    """A function with a custom derivative or batching has no rule."""
    said = re.search(r"custom_(\w+) function (\w+) using (\w+)", context.message)
    if said is None:
        return None
    for module in context.modules.values():
        function = module.function_named(said[2])
        if function is not None:
            facts = {"function": said[2], "name": f"{said[2]}.{said[3]}", "container": said[1]}
            place = definition_place(module, function)
            return InFunction(place, facts, context=context, module=module, function=function)
    return None


_RULE_ARGUMENTS = {
    ("defjvp", 0): "primals, tangents",
    ("defvjp", 0): "*args",
    ("defvjp", 1): "residuals, cotangent",
    ("def_vmap", 0): "axis_size, in_batched, *args",
}


def custom_rule_arity(context: FailureContext) -> RuleArity | None:
    """A custom rule takes other arguments than JAX calls it with."""
    said = re.match(r"(?:[\w.<>]*\.)?(\w+)\(\) (?:missing|takes)", context.message)
    if said is None:
        return None
    for module in context.modules.values():
        for registered, position, function in custom_rules(module):
            if name_of(function) == said[1]:
                own, fixed = parameters_of_rule(module, registered)
                names = _rule_arguments(registered.attr, position, own, fixed)
                is_short = len(parameters(function)) == 2 and (registered.attr, position) == (
                    "defvjp",
                    1,
                )
                return RuleArity(
                    definition_place(module, function),
                    {"function": said[1], "name": names},
                    "nondiff" if fixed else "",
                    context=context,
                    module=module,
                    function=function,
                    missing=tuple(fixed) if is_short else (),
                )
    return None


def custom_rules(module: Module) -> Iterator[tuple[ast.Attribute, int, FunctionNode]]:
    """List the rules that a file defines: what registers each, and its position there."""
    for function in module.functions:
        for decorator in getattr(function, "decorator_list", []):
            if isinstance(decorator, ast.Attribute) and (decorator.attr, 0) in _RULE_ARGUMENTS:
                yield decorator, 0, function
    for call in module.calls:
        if not isinstance(call.func, ast.Attribute):
            continue
        for position, given in enumerate(call.args[:2]):
            is_rule = (call.func.attr, position) in _RULE_ARGUMENTS
            found = resolve(module, given, call) if is_rule else None
            if found is not None:
                yield call.func, position, found


def parameters_of_rule(module: Module, registered: ast.Attribute) -> tuple[list[str], list[str]]:
    """Return the parameters of the function that a rule is for, and those never differentiated."""
    name = path_of(registered.value)
    function = module.function_named(name) if name is not None else None
    own = parameter_names(function)
    made = (
        node
        for decorator in getattr(function, "decorator_list", [])
        for node in calls_in(decorator)
    )
    options = [option.value for call in made if (option := keyword_of(call, "nondiff_argnums"))]
    held = {n.value for option in options for n in ast.walk(option) if isinstance(n, ast.Constant)}
    return own, [name for place, name in enumerate(own) if place in held]


def _rule_arguments(method: str, position: int, own: list[str], fixed: list[str]) -> str:
    if (method, position) == ("defvjp", 0) and own:
        return ", ".join(own)
    return ", ".join([*fixed, _RULE_ARGUMENTS[method, position]])


def function_in_residuals(context: FailureContext) -> InFunction | None:
    """A forward rule puts a function into its residuals, which are arrays."""
    for module in context.modules.values():
        for registered, position, function in custom_rules(module):
            if (registered.attr, position) != ("defvjp", 0):
                continue
            _, fixed = parameters_of_rule(module, registered)
            kept = _kept_functions(function, fixed)
            if len(kept) == 1:
                facts = {"name": kept[0].id, "function": name_of(function)}
                return InFunction(
                    module.location(kept[0]),
                    facts,
                    "nondiff" if kept[0].id in fixed else "",
                    context=context,
                    module=module,
                    function=function,
                )
    return None


def _kept_functions(forward: FunctionNode, fixed: list[str]) -> list[ast.Name]:
    """List the residuals that are functions: arguments that are not differentiated, or defined."""
    result = result_of(forward)
    if not isinstance(result, ast.Tuple) or len(result.elts) != 2:
        return []
    defined = {n.name for n in ast.walk(forward) if isinstance(n, ast.FunctionDef)} - {
        name_of(forward)
    }
    return [
        node
        for node in ast.walk(result.elts[1])
        if isinstance(node, ast.Name) and node.id in defined | set(fixed)
    ]


def policy_text(context: FailureContext) -> PolicyText | None:
    """The policy of a checkpoint is named by a text."""
    for item in every(context, "checkpoint"):
        policy = item.option("policy")
        texts = [n for n in ast.walk(policy) if is_string(n)] if policy is not None else []
        if texts and isinstance(texts[0], ast.Constant):
            name = str(texts[0].value)
            place = item.module.location(texts[0])
            return PolicyText(
                place, {"name": name}, context=context, module=item.module, node=texts[0]
            )
    return None


def custom_vmap(context: FailureContext) -> InFunction | None:
    """A batching rule does not return its result together with what is batched in it."""
    if not context.passed_through("custom_vmap.__call__"):
        return None
    for module in context.modules.values():
        for function in module.functions:
            names = [getattr(d, "attr", "") for d in getattr(function, "decorator_list", [])]
            value = result_of(function)
            if "def_vmap" in names and value is not None and not isinstance(value, ast.Tuple):
                place, facts = result_place(module, function), {"function": name_of(function)}
                return InFunction(place, facts, context=context, module=module, function=function)
    return None


# ---------------------------------------------------------------- Pallas


def ref_not_read(context: FailureContext) -> AtNode | None:
    """A reference of a kernel is used as an array, without `[...]`."""
    found = at_node(context)
    if found is None or found.frame.function is None:
        return None
    if "Ref" not in context.message and _kernel(context) is None:
        return None
    given = set(parameter_names(found.frame.function))
    names = ref_names(found, given)
    return replace(found, facts={"name": names[0].id}) if names else None


def ref_names(found: AtNode, given: set[str]) -> list[ast.Name]:
    """List the parameters of a kernel in an expression that are not read by a subscript."""
    module = found.module
    return [
        n
        for n in ast.walk(found.node)
        if isinstance(n, ast.Name)
        and n.id in given
        and not isinstance(module.parents.get(n), ast.Subscript | ast.Attribute)
    ]


def _kernel(context: FailureContext) -> tuple[Module, FunctionNode] | None:
    """Find the kernel of the pallas_call of the program, if there is just one."""
    found = [
        (module, function)
        for module in context.modules.values()
        for call in module.calls
        if _is_pallas_call(module, call)
        for function in [resolve(module, call.args[0], call) if call.args else None]
        if function is not None
    ]
    return found[0] if len(found) == 1 else None


def _is_pallas_call(module: Module, call: ast.Call) -> bool:
    return (module.dotted(call.func) or "").endswith("pallas.pallas_call")


def kernel_returns(context: FailureContext) -> InFunction | None:
    """A kernel returns its result instead of writing it to the output reference."""
    found = _kernel(context)
    if found is None:
        return None
    module, function = found
    place, facts = result_place(module, function), {"function": name_of(function)}
    return InFunction(place, facts, context=context, module=module, function=function)


def at_pallas_call(context: FailureContext) -> AtNode | None:
    """The failure is in the call of a kernel."""
    return (
        at_node(context)
        if context.passed_through("_pallas_call", "wrapped")
        or any("pallas" in name for name in context.failure.jax_frames)
        else None
    )


def index_map(context: FailureContext) -> IndexMap | None:
    """An index map takes another number of indices than the grid has, or returns too few."""
    frame = context.frame
    if frame is None or not any("pallas" in name for name in context.failure.jax_frames):
        return None
    if not any("block_spec" in name.lower() for name in context.failure.jax_frames):
        return None
    said = re.search(r"takes (\d+) positional arguments? but (\d+)", context.message)
    needed = int(said[2]) if said is not None else 0
    taken = int(said[1]) if said is not None else -1
    maps = [item for m in context.modules.values() for item in _index_maps(m)]
    unfit = [item for item in maps if len(parameters(item[1])) == taken]
    returns = [item for item in maps if _returns_one(item[1])] if said is None else unfit
    module, function = returns[0] if len(returns) == 1 else (frame.module, None)
    place = module.location(function) if isinstance(function, ast.Lambda) else None
    return IndexMap(
        place,
        {"expression": module.text(function)} if isinstance(function, ast.Lambda) else {},
        context=context,
        module_of=module,
        function=function,
        count=needed,
    )


def _index_maps(module: Module) -> Iterator[tuple[Module, FunctionNode]]:
    for call in module.calls:
        if (module.dotted(call.func) or "").endswith(".BlockSpec"):
            given = argument(call, 1, "index_map")
            function = resolve(module, given, call) if given is not None else None
            if function is not None:
                yield module, function


def _returns_one(function: FunctionNode) -> bool:
    value = result_of(function)
    return value is not None and not isinstance(value, ast.Tuple | ast.Call)


def out_shape(context: FailureContext) -> AtNode | None:
    """What a kernel writes has another shape or dtype than `out_shape` declares."""
    found = at_node(context)
    said = re.search(r"Ref (shape|dtype): (.+?)\. .*Value \1: (.+?)\.", context.message)
    if found is None:
        return None
    if said is None:
        return found if "out_shape type" in context.message else None
    known = "shape" if said[1] == "shape" else "dtype"
    return replace(found, facts={"name": known, "argument": said[2], "aval": said[3]})


def no_gradient(context: FailureContext) -> AtNode | None:
    """A gradient goes through a kernel, which has no rule for it."""
    found = at_node(context)
    called = [
        call
        for module in context.modules.values()
        for call in module.calls
        if _is_pallas_call(module, call)
    ]
    return found if called else None


RULES = (
    Rule("symbolic-dimension-inconclusive", by_message()),
    Rule("symbolic-dimensions-not-equal", raised(dimensions_not_equal)),
    Rule("symbolic-scopes-mixed", by_message()),
    Rule("transform-of-compiled", by_message()),
    Rule("primitive-rule-missing", raised(rule_missing)),
    Rule("custom-vjp-residual-function", raised(function_in_residuals)),
    Rule("custom-rule-missing", raised(custom_rule)),
    Rule("callback-without-gradient", by_message()),
    Rule("pallas-out-shape", raised(out_shape)),
    Rule("pallas-captures-constant", by_message()),
    Rule("pallas-no-gradient", raised(no_gradient)),
)
