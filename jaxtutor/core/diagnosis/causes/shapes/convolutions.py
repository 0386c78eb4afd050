"""Matches and fixes convolutions of `jax.lax` without the axes of the batch and the channels."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.library_calls import known_fact
from jaxtutor.core.diagnosis.reading.shapes import rank

_FUNCTIONS = ("conv", "conv_general_dilated", "conv_with_general_padding")
_COUNTS = {1: "one axis", 2: "two axes", 3: "three axes", 4: "four axes", 5: "five axes"}


class AxesMissing(AtCall, frozen=True, kw_only=True):
    """A convolution over `count` axes; `left` and `right` are the ranks of image and kernel."""

    count: int
    left: int
    right: int


def axes_missing(context: FailureContext) -> AxesMissing | None:
    """An image or a kernel of a convolution has no axis for the batch or the channels."""
    call = at_call(context)
    home, _, name = (call.path if call is not None else "").rpartition(".")
    if call is None or home != "jax.lax" or name not in _FUNCTIONS:
        return None
    strides = argument(call.node, 2, "window_strides")
    count = len(strides.elts) if isinstance(strides, ast.Tuple | ast.List) else 0
    left, right = (_axis_count(call, n, k) for n, k in ((0, "lhs"), (1, "rhs")))
    is_short = 0 < left < count + 2 or 0 < right < count + 2
    if not count or not left or not right or not is_short:
        return None
    facts = {
        "name": call.module.text(call.node.func),
        "argument": _COUNTS.get(count + 2, f"{count + 2} axes"),
        "detail": f"the image has {_COUNTS[left]}, and the kernel {_COUNTS[right]}",
    }
    return AxesMissing(
        call.frame.place(call.node),
        facts,
        context=context,
        node=call.node,
        count=count,
        left=left,
        right=right,
    )


def _axis_count(call: AtCall, position: int, name: str) -> int:
    """Count the axes of an argument; 0 where they are not known, or more than are described."""
    given = argument(call.node, position, name)
    fact = known_fact(call.context, call.frame, given)
    axes = rank(fact.detail) if fact is not None else 0
    return axes if axes in _COUNTS else 0


def add_axes(found: AxesMissing) -> Drafts:
    """Add the axes before the convolution, and take them out of its result."""
    call, module, count = found.node, found.module, found.count
    image, kernel = argument(call, 0, "lhs"), argument(call, 1, "rhs")
    if image is None or kernel is None or argument(call, 6, "dimension_numbers") is not None:
        return
    plain = found.right == count
    ways = {
        (count, True): ("[None, None]", "[0, 0]"),
        (count + 1, True): ("[:, None]", "[:, 0]"),
        (count + 1, False): ("[None]", "[0]"),
    }
    if (found.left, plain) not in ways or (not plain and found.right != count + 2):
        return
    before, after = ways[found.left, plain]
    draft = Draft(module).certain()
    draft.replace(image, f"{atom(module, image)}{before}")
    if plain:
        draft.replace(kernel, f"{atom(module, kernel)}[None, None]")
    yield draft.after(call, after)


RULES = (Rule("convolution-axes-missing", raised(axes_missing), add_axes),)
