"""Fixes uses of devices, debugging and callbacks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import singledispatch

from jaxtutor.core.data.observations import DebugFormat
from jaxtutor.core.diagnosis.causes.devices.device_calls import (
    DevicesApart,
    OtherAxis,
    SameBuffer,
    SharedPart,
    UnboundAxis,
    callback_result,
    incompatible_devices,
    not_functionalized,
    print_format,
    unbound_axis,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import (
    add_argument,
    add_option,
    atom,
)
from jaxtutor.core.diagnosis.editing.printing import debug_print
from jaxtutor.core.diagnosis.editing.static_arguments import drop_option
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, Finding, InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, observed, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import applied, every
from jaxtutor.core.diagnosis.observed.arithmetic import debug_format
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, keyword_of


def fit_format(found: AtCall | Finding) -> Drafts:
    """Give the format of jax.debug.print a field for each value, and put no value inside it."""
    call = found.node
    if not isinstance(call, ast.Call):
        return
    first = call.args[0] if call.args else None
    if isinstance(first, ast.JoinedStr):
        bare = ast.copy_location(ast.Call(call.func, [first], []), call)
        draft = debug_print(found.module, bare)
        yield draft.certain() if draft is not None else None
    elif isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield _name_fields(found.module, call, first.value)


def _name_fields(module: Module, call: ast.Call, text: str) -> Draft | None:
    """Name a positional value after the field that asks for it, or add the fields missing."""
    names = re.findall(r"{(\w+)[^{}]*}", text)
    given = {k.arg for k in call.keywords}
    missing = [n for n in names if not n.isdigit() and n not in given]
    values = call.args[1:]
    draft = Draft(module)
    if missing and len(missing) == len(values):
        for name, value in zip(missing, values, strict=True):
            draft.before(value, f"{name}=")
        return draft
    if missing and not values:
        return add_argument(draft, call, ", ".join(f"{n}={n}" for n in missing))
    fields = len(re.findall(r"{}|{:[^{}]*}", text))
    if fields < len(values):
        inner = module.text(call.args[0])
        more = " {}" * (len(values) - fields)
        return draft.replace(call.args[0], inner[:-1] + more + inner[-1])
    return None


@singledispatch
def keep_buffer(found: AtFrame) -> Drafts:
    """Stop donating a buffer that is read later."""
    for module in found.context.modules.values():
        for item in applied(module):
            for name in ("donate_argnums", "donate_argnames"):
                option = keyword_of(item.call, name) if item.call is not None else None
                if option is not None and item.call is not None:
                    draft = Draft(module)
                    if drop_option(draft, item.call, option, is_decorator=item.is_decorator):
                        yield draft


@keep_buffer.register
def _copy_argument(found: SharedPart) -> Drafts:
    """Copy one of the arguments that share an array."""
    if found.second is not None:
        draft = Draft(found.module)
        copied = f"{draft.name('jax.tree.map')}({draft.name('jax.numpy.copy')}, "
        yield draft.certain().wrap(found.second, copied, ")")


@keep_buffer.register
def _copy_buffer(found: SameBuffer) -> Drafts:
    """Copy a buffer that has two names."""
    draft = Draft(found.module).certain()
    copied = f"{draft.name('jax.tree.map')}({draft.name('jax.numpy.copy')}, "
    yield draft.wrap(found.made.value, copied, ")")


def move_to_devices(found: DevicesApart) -> Drafts:
    """Put one array onto the devices of the other."""
    if found.module is None or found.moved is None or found.kept is None:
        return
    draft = Draft(found.module)
    kept = atom(found.module, found.kept)
    yield draft.wrap(found.moved, f"{draft.name('jax.device_put')}(", f", {kept}.sharding)")


def automatic_axes(found: AtFrame) -> Drafts:
    """Leave the axes of the mesh to the compiler."""
    for module, call in _calls_in_files(found.context, "jax.make_mesh", "jax.sharding.make_mesh"):
        yield _automatic(module, call)


def _calls_in_files(context: FailureContext, *paths: str) -> Iterator[tuple[Module, ast.Call]]:
    for module in context.modules.values():
        for call in calls_of(module, *paths):
            yield module, call


def _automatic(module: Module, call: ast.Call) -> Draft | None:
    names = argument(call, 1, "axis_names")
    if not isinstance(names, ast.Tuple | ast.List):
        return None
    draft = Draft(module)
    kind = draft.name("jax.sharding.AxisType.Auto")
    option = keyword_of(call, "axis_types")
    text = f"({kind},) * {len(names.elts)}"
    if option is not None:
        return draft.replace(option.value, text)
    return add_argument(draft, call, f"axis_types={text}")


def declared_result(found: InContext) -> Drafts:
    """Declare the shape or dtype that the host function returns."""
    message = found.context.message
    dims = re.search(r"Actual: \(([\d, ]*)\)", message)
    dtypes = re.search(r"Expected: (\w+), Actual: (\w+)", message)
    for module, call in _calls_in_files(found.context, "jax.ShapeDtypeStruct"):
        shape, dtype = argument(call, 0, "shape"), argument(call, 1, "dtype")
        if shape is not None and dims is not None:
            yield Draft(module).replace(shape, f"({dims[1].strip()})")
        if dtype is not None and dtypes is not None:
            draft = Draft(module)
            yield draft.replace(dtype, draft.name(f"jax.numpy.{dtypes[2]}"))


def name_axis(found: UnboundAxis) -> Drafts:
    """Name the axis where it is mapped, or use the name that it has there."""
    if isinstance(found, OtherAxis):
        if len(found.axes) == 1:
            quote = found.module.text(found.given)[:1]
            text = f"{quote}{found.axes[0]}{quote}"
            yield Draft(found.module).certain().replace(found.given, text)
        return
    if not found.name:
        return
    items = every(found.context, "vmap", "pmap")
    for item in items:
        named = item.option("axis_name")
        if isinstance(named, ast.Constant):
            yield _same_name(found.module, found.name, str(named.value))
    unnamed = [item for item in items if item.option("axis_name") is None]
    for item in unnamed:
        draft = add_option(item, f'axis_name="{found.name}"')
        yield draft.certain() if len(items) == 1 else draft


def _same_name(module: Module, used: str, known: str) -> Draft | None:
    draft, count = Draft(module), 0
    for node in module.nodes:
        if isinstance(node, ast.Constant) and node.value == used:
            quote = module.text(node)[:1]
            draft.replace(node, f"{quote}{known}{quote}")
            count += 1
    return draft if count else None


RULES = (
    Rule("mesh-axis-type-mismatch", by_message(), automatic_axes),
    Rule("unbound-axis-name", raised(unbound_axis), name_axis),
    Rule("checkify-not-functionalized", raised(not_functionalized)),
    Rule("debug-print-format", raised(print_format), fit_format),
    Rule("callback-result-mismatch", raised(callback_result), declared_result),
    Rule("incompatible-devices", raised(incompatible_devices), move_to_devices),
    Rule("debug-print-format", observed((DebugFormat, debug_format)), fit_format),
)
