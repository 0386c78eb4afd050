"""Matches the causes in how functions of JAX are called."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.library_calls import method_of
from jaxtutor.core.diagnosis.reading import argument, is_number, keyword_of, parameters
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, AtNode, InContext, at_call, at_node
from jaxtutor.core.diagnosis.source import FunctionNode, Module, names_in
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find, resolve

# The arguments of each function, in their order, and which of them are functions.
SIGNATURES = {
    "jax.lax.cond": ("pred", "true_fun", "false_fun", "*operands"),
    "jax.lax.switch": ("index", "[branch, branch, ...]", "*operands"),
    "jax.lax.while_loop": ("cond_fun", "body_fun", "init_val"),
    "jax.lax.fori_loop": ("lower", "upper", "body_fun", "init_val"),
    "jax.lax.scan": ("f", "init", "xs"),
    "jax.lax.map": ("f", "xs"),
    "jax.lax.associative_scan": ("fn", "elems"),
}
FUNCTION_POSITIONS = {
    "jax.lax.cond": (1, 2),
    "jax.lax.switch": (1,),
    "jax.lax.while_loop": (0, 1),
    "jax.lax.fori_loop": (2,),
}
_NOT_CURRIED = ("jax.eval_shape", "jax.vjp", "jax.jvp", "jax.linearize")


class ValueForFunction(AtCall, frozen=True, kw_only=True):
    """A call with a value where a function belongs; `values` are those values."""

    values: tuple[ast.expr, ...]


class Curried(AtCall, frozen=True, kw_only=True):
    """A call whose result is called, although it takes those arguments itself."""

    outer: ast.Call | None


class FunctionArgument(Curried, frozen=True, kw_only=True):
    """A function among the arguments of the mapped or differentiated function `item`."""

    item: AppliedTransform
    position: int


class MovedOption(AtCall, frozen=True, kw_only=True):
    """An option of a transformation in the call of what the transformation `item` returned."""

    option: ast.keyword
    item: AppliedTransform


class TupleOperand(AtNode, frozen=True, kw_only=True):
    """A tuple in arithmetic; `made` binds it to a gradient and what comes with it, if it does.

    `parts` is how to write the names for both.
    """

    made: ast.Assign | None
    parts: str = ""


class Unpacked(AtFrame, frozen=True, kw_only=True):
    """The result of a gradient with auxiliary data, unpacked into three names."""

    targets: ast.Tuple


class HostCallback(InContext, frozen=True, kw_only=True):
    """A callback that reads traced values of the function around it."""

    module: Module
    call: ast.Call
    function: FunctionNode
    names: tuple[str, ...]


# ---------------------------------------------------------------- control flow


def predicate(context: FailureContext) -> AtCall | None:
    """The predicate of a cond is an array of several booleans."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.cond":
        return None
    given = argument(call.node, 0, "pred")
    facts = {"condition": call.module.text(given)} if given is not None else {}
    return replace(call, facts=facts)


def index(context: FailureContext) -> AtCall | None:
    """The index of a switch is a boolean, a float or an array."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.switch":
        return None
    given = argument(call.node, 0, "index")
    return replace(call, facts={"name": call.module.text(given)} if given is not None else {})


def not_callable(context: FailureContext) -> ValueForFunction | None:
    """A value is passed where a loop, a branching or a transformation takes a function."""
    call = at_call(context)
    is_swapped = call is not None and call.path in SIGNATURES and _is_function_as_data(context)
    if call is None or not (_says_callable(context, call) or is_swapped):
        return None
    names = SIGNATURES.get(call.path, ("function", "..."))
    values = tuple(v for v in _expected(call) if not is_function(call.frame, v))
    values = values or _unlisted(call)
    if not values:
        return None
    facts = {
        "name": call.module.text(values[0]),
        "argument": f"{call.path}({', '.join(names)})",
        "function": call.path,
    }
    made, form = values[0], ""
    if call.path == "optax.inject_hyperparams" and isinstance(made, ast.Call):
        form, wrapper = "factory", call.module.text(call.node.func)
        given = ", ".join(map(call.module.text, (*made.args, *made.keywords)))
        facts["argument"] = f"{wrapper}({call.module.text(made.func)})({given})"
    return ValueForFunction(
        None,
        facts,
        form,
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        values=values,
    )


def _says_callable(context: FailureContext, call: AtCall) -> bool:
    is_branches = call.path == "jax.lax.switch" and "object is not iterable" in context.message
    return is_branches or "callable" in context.message


def _is_function_as_data(context: FailureContext) -> bool:
    """Return whether a function was taken as the data of a loop: its arguments are swapped."""
    said = re.search(r"of type '?<class '([^']*)'>'? is not a valid JAX type", context.message)
    return said is not None and said[1].rpartition(".")[2].lower() in ("function", "pjitfunction")


def _expected(call: AtCall) -> list[ast.expr]:
    """List the arguments that should be functions; a list of branches stands for its items."""
    found: list[ast.expr] = []
    for position in FUNCTION_POSITIONS.get(call.path, (0,)):
        if position < len(call.node.args):
            given = call.node.args[position]
            found += given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    return found


def _unlisted(call: AtCall) -> tuple[ast.expr, ...]:
    """Return the first branch of a switch whose branches do not stand in a list."""
    given = argument(call.node, 1, "branches") if call.path == "jax.lax.switch" else None
    is_one = given is not None and is_function(call.frame, given)
    return (given,) if given is not None and is_one else ()


def is_function(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression is known to be a function."""
    if isinstance(node, ast.Lambda) or frame.kind(node) in ("function", "class"):
        return True
    if isinstance(node, ast.Call):
        path = frame.callee(node) or ""
        return path in ("functools.partial", "jax.jit", "jax.grad", "jax.vmap", "jax.checkpoint")
    return resolve(frame.module, node, node) is not None


def curried(context: FailureContext) -> Curried | None:
    """A transformation that takes the arguments itself is called with the function alone."""
    found = _called_result(context)
    is_one = found is not None and found.path in _NOT_CURRIED and len(found.node.args) == 1
    return replace(found, facts={"function": found.path}) if found is not None and is_one else None


def operands_missing(context: FailureContext) -> Curried | None:
    """A cond or switch is given functions of an argument, and no operands for them."""
    found = _called_result(context)
    if found is None or found.path not in ("jax.lax.cond", "jax.lax.switch"):
        return None
    fewest = {"jax.lax.cond": 3, "jax.lax.switch": 2}[found.path]
    has_none = len(found.node.args) == fewest and not found.node.keywords
    is_own = _is_own(context, context.message.partition("(")[0])
    if not has_none or (is_own and found.outer is None):
        return None  # `wrong-arity` covers functions of the learner, unless the result is called
    return replace(found, facts={"function": found.path})


def _is_own(context: FailureContext, name: str) -> bool:
    """Return whether a function of the learner's files has a name."""
    name = name.rpartition(".")[2]
    functions = (f for module in context.modules.values() for f in module.functions)
    return any(getattr(f, "name", "<lambda>") == name for f in functions)


def _called_result(context: FailureContext) -> Curried | None:
    """Return the call at fault, and the call of its result if it is called at once."""
    call = at_call(context)
    if call is None:
        return None
    parent = call.module.parents.get(call.node)
    outer = parent if isinstance(parent, ast.Call) and parent.func is call.node else None
    return Curried(
        None, {}, context=context, frame=call.frame, node=call.node, path=call.path, outer=outer
    )


def scan_over_scalar(context: FailureContext) -> AtCall | None:
    """A scan is given a number where the array to go over belongs."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.scan":
        return None
    xs = argument(call.node, 2, "xs")
    if isinstance(xs, ast.Tuple):
        parts = [part for part in xs.elts if _is_scalar(call.frame, part)]
        if len(parts) != 1 or len(xs.elts) == 1:
            return None  # a scan over a Python list
        return replace(call, facts={"name": call.module.text(parts[0])})
    if isinstance(xs, ast.List) or call.frame.kind(xs) in ("list", "tuple"):
        return None
    if "no leading axis" not in context.message and (xs is None or not _is_scalar(call.frame, xs)):
        return None
    return replace(call, facts={"name": call.module.text(xs)} if xs is not None else {})


def _is_scalar(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression held a number, or an array or tracer without axes."""
    fact = frame.fact(node)
    if fact is None:
        return isinstance(node, ast.Constant)
    return fact.kind == "number" or fact.detail.endswith("[]")


def scan_without_values(context: FailureContext) -> AtCall | None:
    """A scan is given neither values to go over nor a length."""
    call = at_call(context)
    return call if call is not None and call.path == "jax.lax.scan" else None


# ---------------------------------------------------------------- transformations


def function_as_value(context: FailureContext) -> Curried | None:
    """A function is passed where an array is expected."""
    return _function_to_operation(context) or _function_to_transformed(context)


def _function_to_transformed(context: FailureContext) -> FunctionArgument | None:
    """A function is passed to a mapped or differentiated function."""
    call = at_call(context)
    item = find(context, *_WITH_ARRAYS) if call is not None else None
    if call is None or item is None or item.node is call.node or not _is_function_as_data(context):
        return None
    given = [n for n, value in enumerate(call.node.args) if is_function(call.frame, value)]
    if not given:
        return None
    return FunctionArgument(
        None,
        {"name": call.module.text(call.node.args[given[0]]), "function": f"jax.{item.kind}"},
        "differentiated" if "grad" in item.kind else "mapped",
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        outer=None,
        item=item,
        position=given[0],
    )


_WITH_ARRAYS = ("vmap", "grad", "value_and_grad")


def _function_to_operation(context: FailureContext) -> Curried | None:
    """A function is passed to an operation on arrays, such as `stop_gradient`."""
    found = _called_result(context)
    if found is None or not found.path.startswith(("jax.lax.", "jax.numpy.", "jax.nn.")):
        return None
    if found.path in SIGNATURES or not found.node.args or not _is_function_as_data(context):
        return None
    given = [a for a in found.node.args if is_function(found.frame, a)]
    facts = {"name": found.module.text(given[0]), "function": found.path} if given else {}
    return replace(found, facts=facts) if given else None


_MAKERS = ("jax.vmap", "jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian")
_OPTIONS = frozenset(
    {"in_axes", "out_axes", "argnums", "has_aux", "static_argnums", "static_argnames"}
    | {"donate_argnums", "donate_argnames", "axis_name", "allow_int"}
)


def arguments_inside(context: FailureContext) -> AtCall | None:
    """The arguments of a mapped or differentiated function are passed to the transformation."""
    call = at_call(context)
    if call is None or call.path not in _MAKERS or len(call.node.args) < 2:
        return None
    is_option = isinstance(call.node.args[1], ast.Constant | ast.Tuple)
    return None if is_option else replace(call, facts={"function": call.path})


def option_outside(context: FailureContext) -> MovedOption | None:
    """An option of a transformation is passed in the call of its result."""
    for frame in reversed(context.frames):
        call = frame.node if isinstance(frame.node, ast.Call) else None
        item = find(context, *_WITH_OPTIONS, at=call) if call is not None else None
        options = [k for k in call.keywords if k.arg in _OPTIONS] if call is not None else []
        if call is None or item is None or item.call is None or item.node is call or not options:
            continue
        if any(a.arg == options[0].arg for a in parameters(item.function)):
            return None
        facts = {"name": options[0].arg or "", "function": frame.module.text(item.call.func)}
        return MovedOption(
            frame.place(call),
            facts,
            context=context,
            frame=frame,
            node=call,
            option=options[0],
            item=item,
        )
    return None


_WITH_OPTIONS = ("vmap", "grad", "value_and_grad", "jit", "jacfwd", "jacrev", "hessian")


def tuple_operand(context: FailureContext) -> TupleOperand | None:
    """A tuple takes part in arithmetic with arrays."""
    found = at_node(context)
    if found is None or not isinstance(found.node, ast.BinOp):
        return None
    sides = (found.node.left, found.node.right)
    shapes = [s for s in sides if isinstance(s, ast.Attribute) and s.attr == "shape"]
    if len(shapes) == 1:
        return _shape_operand(found, found.node, shapes[0])
    names = [s for s in sides if isinstance(s, ast.Name) and found.frame.kind(s) == "tuple"]
    if len(names) != 1:
        return None
    bound = found.module.assignments(names[0].id, found.module.scope(names[0]))
    made = bound[-1] if bound and isinstance(bound[-1], ast.Assign) else None
    grad = find(context, "value_and_grad", "grad", at=made.value) if made is not None else None
    parts = _parts(grad, names[0].id) if grad is not None else ""
    facts = {"name": names[0].id}
    if made is not None and _is_apply(context, made.value):
        assert isinstance(made.value, ast.Call)
        facts |= {
            "function": found.module.text(made.value.func),
            "argument": f"{names[0].id}, {_new_state(made.value)}",
        }
        return AppliedOperand(
            found.frame.place(made),
            facts,
            "apply",
            context=context,
            frame=found.frame,
            node=found.node,
            made=made,
        )
    return TupleOperand(
        None,
        facts,
        context=context,
        frame=found.frame,
        node=found.node,
        made=made if parts else None,
        parts=parts,
    )


def _parts(grad: AppliedTransform, name: str) -> str:
    """Write the names for what a transformed function returns, if that is a pair."""
    if grad.kind == "value_and_grad":
        return f"_, {name}"
    return f"{name}, _" if grad.option("has_aux") is not None else ""


class AppliedOperand(TupleOperand, frozen=True, kw_only=True):
    """The output of a model together with its new state, as `apply` returned them."""


def _is_apply(context: FailureContext, made: ast.expr) -> bool:
    """Return whether a call returns the output of a model and its new state."""
    if not isinstance(made, ast.Call) or method_of(made) not in ("apply", "apply_fn"):
        return False
    paths = {path for module in context.modules.values() for path in module.imports.values()}
    transforms = (
        (module.dotted(n.func) or "")
        for module in context.modules.values()
        for n in module.nodes
        if isinstance(n, ast.Call)
    )
    is_haiku = "haiku" in paths and any("transform_with_state" in path for path in transforms)
    return is_haiku or keyword_of(made, "mutable") is not None


def _new_state(made: ast.Call) -> str:
    """Name the new state: as `apply` got the old one, or `updates` for collections of Flax."""
    if keyword_of(made, "mutable") is not None:
        return "updates"
    given = made.args[1] if len(made.args) > 1 else None
    return given.id if isinstance(given, ast.Name) else "state"


class ShapeOperand(TupleOperand, frozen=True, kw_only=True):
    """A shape in arithmetic; `axis` is the one that the other operand was reduced over."""

    shape: ast.Attribute
    axis: str


def _shape_operand(found: AtNode, node: ast.BinOp, shape: ast.Attribute) -> ShapeOperand:
    other = node.right if node.left is shape else node.left
    axis = _reduced_axis(other, found.module)
    array = found.module.text(shape.value)
    meant = f"{array}.shape[{axis}]" if axis else f"{array}.size"
    facts = {"name": found.module.text(shape), "argument": meant, "container": array}
    return ShapeOperand(
        None,
        facts,
        "shape",
        context=found.context,
        frame=found.frame,
        node=node,
        made=None,
        shape=shape,
        axis=axis,
    )


def _reduced_axis(node: ast.expr, module: Module) -> str:
    """Return the axis that a sum goes over, as the file writes it; empty for all of them."""
    axis = keyword_of(node, "axis") if isinstance(node, ast.Call) else None
    return module.text(axis.value) if axis is not None and is_number(axis.value) else ""


# ---------------------------------------------------------------- gradients


def jvp_tuples(context: FailureContext) -> AtCall | None:
    """The inputs of jvp are not in tuples: `(x)` is `x`."""
    call = at_call(context)
    return call if call is not None and call.path == "jax.jvp" else None


def aux_not_nested(context: FailureContext) -> Unpacked | None:
    """The value, the auxiliary data and the gradient are unpacked as three."""
    frame = context.frame
    statement = frame.statement if frame is not None else None
    if frame is None or not isinstance(statement, ast.Assign):
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple) or len(target.elts) != 3:
        return None
    grad = find(context, "value_and_grad", at=statement.value)
    if grad is None or not _has_aux(grad):
        return None
    place = frame.place(statement)
    facts = {"name": frame.module.text(target)}
    return Unpacked(place, facts, context=context, frame=frame, targets=target)


def _has_aux(grad: AppliedTransform) -> bool:
    option = grad.option("has_aux")
    return isinstance(option, ast.Constant) and option.value is True


# ---------------------------------------------------------------- keys


def not_a_key(context: FailureContext) -> AtCall | None:
    """A function of jax.random is given something else where the key belongs."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or not call.node.args:
        return None
    facts = {"name": call.module.text(call.node.args[0]), "function": call.path}
    form = "stream" if _NNX_STREAM.search(context.message) else ""
    return replace(call, facts=facts, form=form)


_NNX_STREAM = re.compile(r"rnglib\.(?:RngStream|Rngs)\b")


def shape_spread(context: FailureContext) -> AtCall | None:
    """The sizes of a shape are passed one by one, so the second is taken for the dtype."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or len(call.node.args) != 3:
        return None
    sizes = call.node.args[1:]
    # A range beginning at 0, as in `uniform(key, 0, 1)`, is not a shape.
    unlike = [s for s in sizes if isinstance(s, ast.Tuple | ast.List | ast.Starred) or _is_zero(s)]
    is_spread = not unlike
    return replace(call, facts={"function": call.path}) if is_spread else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def key_array(context: FailureContext) -> AtCall | None:
    """A whole array of keys is passed where one key belongs."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or not call.node.args:
        return None
    return replace(call, facts={"name": call.module.text(call.node.args[0])})


# ---------------------------------------------------------------- containers and callbacks


def tree_as_dict(context: FailureContext) -> AtNode | None:
    """A dict's method is called on an array, a list or a tuple."""
    found = at_node(context)
    if found is None or not isinstance(found.node, ast.Attribute):
        return None
    return replace(found, facts={"name": found.module.text(found.node.value)})


def callback_closure(context: FailureContext) -> HostCallback | None:
    """A function on the host reads a traced value of the function around it."""
    if _READS_TRACER.search(context.message) is None:
        return None
    calls = [found for module in context.modules.values() for found in _closures(module)]
    if len(calls) != 1:
        return None
    module, call, function, names = calls[0]
    return HostCallback(
        module.location(call.args[0]),
        {"name": names[0]},
        context=context,
        module=module,
        call=call,
        function=function,
        names=names,
    )


def _closures(module: Module) -> list[tuple[Module, ast.Call, FunctionNode, tuple[str, ...]]]:
    found = []
    for call in module.nodes:
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or not call.args or path not in _CALLBACKS:
            continue
        function = resolve(module, call.args[0], call)
        names = _outer_parameters(module, call, function) if function is not None else ()
        if function is not None and names:
            found.append((module, call, function, names))
    return found


_READS_TRACER = re.compile(r"Tracer\w*Error|ConcretizationTypeError|[Uu]nexpected tracer")
_CALLBACKS = (
    "jax.pure_callback",
    "jax.experimental.io_callback",
    "jax.debug.callback",
)


def _outer_parameters(module: Module, call: ast.Call, function: FunctionNode) -> tuple[str, ...]:
    """List the parameters of the enclosing functions that a callback reads, in their order."""
    own = {a.arg for a in parameters(function)}
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    read = {name for part in body for name in names_in(part)} - own
    around = [n for n in module.ancestors(call) if isinstance(n, FunctionNode)]
    given = [a.arg for outer in around for a in parameters(outer)]
    return tuple(name for name in given if name in read)


def argument_missing(context: FailureContext) -> AtCall | None:
    """A function of a library is called without an argument that it needs."""
    call = at_call(context)
    said = re.search(r"(\w+)\(\) missing \d+ required .*?arguments?: (.*)", context.message)
    if call is None or said is None or context.failure.jax_frames:
        return None
    if (
        isinstance(call.node.func, ast.Attribute)
        and call.frame.kind(call.node.func.value) == "class"
    ):
        return None  # it may lack the object
    is_library = call.path.startswith(("jax.", "numpy.", "optax.", "flax.", "equinox."))
    if not is_library or call.path.rpartition(".")[2] != said[1]:
        return None
    missing = " and ".join(re.findall(r"'(\w+)'", said[2]))
    return replace(call, facts={"function": call.path, "name": missing})
