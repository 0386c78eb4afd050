"""Matches and fixes scans that go over the batch of their sequences, and not over the time."""

from __future__ import annotations

import ast
from typing import TypeGuard

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.libraries.flax.lifted import lifting
from jaxtutor.core.diagnosis.causes.shapes.shape_facts import shapes_in
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, names_in, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import bound_value, load_sites
from jaxtutor.core.diagnosis.reading.shapes import known_sizes


class ScanOverBatch(InContext, frozen=True, kw_only=True):
    """A call that goes over the first axis of sequences, which counts the examples.

    `scan` is the call of `nn.scan` or `jax.lax.scan`, in the file `home`; `sequences` is what a
    call of `jax.lax.scan` goes over, and None for `nn.scan`. `is_sure` if the carry is made
    with the first size: otherwise the carry may be what is wrong.
    """

    home: Module
    scan: ast.Call
    sequences: ast.expr | None
    is_sure: bool


def scan_over_batch(context: FailureContext) -> ScanOverBatch | None:
    """The body of a scan combines an array for each example with one for each step."""
    leading = [sizes[0] for sizes in map(known_sizes, shapes_in(context.message)) if sizes]
    if len(set(leading)) != 2:
        return None
    for frame in reversed(context.frames):
        call = frame.node
        if not isinstance(call, ast.Call):
            continue
        if frame.callee(call) == "jax.lax.scan":
            xs = argument(call, 2, "xs")
            return _scan_over_batch(context, frame, xs, leading, (frame.module, call), xs)
        if _is_unroll(frame, call):
            xs = argument(call, 1, "input_sequence")
            found_unroll = _scan_over_batch(context, frame, xs, leading, (frame.module, call), None)
            return found_unroll and _of_haiku(found_unroll, frame, call)
        scans = [f for f in lifting(context, "scan") if goes_over_first(f[1])]
        if len(scans) == 1 and applies(frame.module, call, scans[0][1]):
            matches = (
                _scan_over_batch(context, frame, a, leading, scans[0], None) for a in call.args
            )
            found = [match for match in matches if match is not None]
            if len(found) == 1:
                return found[0]
    return None


def _is_unroll(frame: FrameContext, call: ast.Call) -> bool:
    """Return whether a call is Haiku's loop over the steps of a sequence, in its default order."""
    path = frame.callee(call) or ""
    is_one = path.startswith("haiku.") and path.endswith(("dynamic_unroll", "static_unroll"))
    return is_one and argument(call, 3, "time_major") is None


def _of_haiku(found: ScanOverBatch, frame: FrameContext, call: ast.Call) -> ScanOverBatch:
    """Describe a match in the words for Haiku; a state for the first size is surely of a batch."""
    state = argument(call, 2, "initial_state")
    made = bound_value(frame.module, state) if state is not None else None
    read = {path_of(n.value) for n in ast.walk(made) if _is_first(n)} if made is not None else set()
    facts = {
        **found.facts,
        "function": frame.module.text(call.func),
        "argument": "time_major=False",
    }
    is_batch = f"{found.facts['name']}.shape" in read
    is_sure = is_batch and not _reads_steps_first(frame, call)
    return replace(found, facts=facts, form="haiku", is_sure=is_sure)


def _reads_steps_first(frame: FrameContext, call: ast.Call) -> bool:
    """Return whether the outputs are read as if the steps came first: `outputs[-1]`."""
    match frame.module.statement(call):
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=name), *_])]):
            scope = frame.function or frame.module.tree
            parents = frame.module.parents
            reads = [n for n in ast.walk(scope) if getattr(n, "id", "") == name]
            outer = [o for n in reads if isinstance(o := parents.get(n), ast.Subscript | ast.Call)]
            calls = ("swapaxes", "transpose", "moveaxis")
            return any(
                not isinstance(o.slice, ast.Tuple)
                if isinstance(o, ast.Subscript)
                else (path_of(o.func) or "").endswith(calls)
                for o in outer
            )
    return True


def _is_first(node: ast.AST) -> TypeGuard[ast.Subscript]:
    """Return whether an expression reads the first item."""
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == 0


def applies(module: Module, call: ast.Call, scan: ast.Call) -> bool:
    """Return whether a call calls what `nn.scan` made: a class, an object of it, or a function."""
    node: ast.AST = call
    while isinstance(node, ast.Call) and node is not scan:
        node = node.func
    if isinstance(node, ast.Name):
        made = [bound_value(module, node)]
        made += [n for n in module.nodes if getattr(n, "name", "") == node.id]  # type: ignore[misc]
        return any(part is scan for value in made for part in ast.walk(value))
    return node is scan or path_of(node) is not None


def _scan_over_batch(
    context: FailureContext,
    frame: FrameContext,
    xs: ast.expr | None,
    leading: list[int],
    scan: tuple[Module, ast.Call],
    sequences: ast.expr | None,
) -> ScanOverBatch | None:
    fact = frame.fact(xs)
    sizes = known_sizes(fact.detail.partition("[")[2]) if fact is not None else []
    if xs is None or len(sizes) < 3 or set(leading) != {sizes[0], sizes[1]}:
        return None
    home, call = scan
    text = frame.module.text(xs)
    facts = {
        "name": text,
        "aval": fact.detail if fact is not None else "",
        "function": home.text(call.func) if sequences is not None else "nn.scan",
        "detail": str(sizes[0]),
        "argument": f"jnp.swapaxes({text}, 0, 1)" if sequences is not None else "in_axes=1",
    }
    called = frame.node
    statement = frame.module.statement(called) if called is not None else None
    return ScanOverBatch(
        home.location(call),
        facts,
        "" if sequences is not None else "linen",
        context=context,
        home=home,
        scan=call,
        sequences=sequences,
        is_sure=_sizes_carry(frame, called, text) and _drops_output(frame.module, statement),
    )


def goes_over_first(call: ast.Call) -> bool:
    """Return whether `nn.scan` goes over the first axis: its default, or said so."""
    axes = keyword_of(call, "in_axes")
    value = axes.value if axes is not None else ast.Constant(0)
    return isinstance(value, ast.Constant) and value.value == 0


def _sizes_carry(frame: FrameContext, call: ast.AST | None, name: str) -> bool:
    """Return whether the first size of an array is that of the carry, and so of a batch."""
    sizes = {
        target.id
        for node in ast.walk(frame.function or frame.module.tree)
        if isinstance(node, ast.Assign)
        for target in _first_targets(node, f"{name}.shape")
    }
    given = [bound_value(frame.module, a) for a in call.args] if isinstance(call, ast.Call) else []
    made = [value for value in given if isinstance(value, ast.Call)]
    return any(sizes & names_in(value) for value in made)


def _first_targets(statement: ast.Assign, shape: str) -> list[ast.Name]:
    """Return the name that takes the first size of a shape: `n = x.shape[0]`, `n, m = x.shape`."""
    match statement:
        case (
            ast.Assign(
                targets=[ast.Name() as size],
                value=ast.Subscript(value=value, slice=ast.Constant(value=0)),
            )
            | ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as size, *_])], value=value)
        ):
            return [size] if path_of(value) == shape else []
    return []


def _drops_output(module: Module, statement: ast.stmt | None) -> bool:
    """Return whether nothing reads the outputs of the steps."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id=name)])]):
            return not load_sites(module.scope(statement), name)
    return False


def scan_over_time(found: ScanOverBatch) -> Drafts:
    """Go over the second axis, and put the outputs of the steps there.

    What reads the outputs may expect the steps in front, so it is certain without them only.
    """
    draft = Draft(found.home)
    if found.form == "haiku":
        add_argument(draft, found.scan, found.facts["argument"])
        yield draft.certain() if found.is_sure else draft
        return
    if found.sequences is not None:
        swap = draft.name("jax.numpy.swapaxes")
        draft.wrap(found.sequences, f"{swap}(", ", 0, 1)")
        yield draft.certain() if found.is_sure else draft
        return
    for name in ("in_axes", "out_axes"):
        given = keyword_of(found.scan, name)
        if given is None:
            add_argument(draft, found.scan, f"{name}=1")
        elif isinstance(given.value, ast.Constant) and given.value.value == 0:
            draft.replace(given.value, "1")
    yield draft.certain() if found.is_sure else draft


RULES = (Rule("scan-over-batch-axis", raised(scan_over_batch), scan_over_time),)
