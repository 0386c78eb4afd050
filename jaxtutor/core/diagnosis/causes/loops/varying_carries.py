"""Matches and fixes loops whose carry becomes different on each device."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.causes.loops.carries import CarryMismatch, carry_mismatch, leaf_at
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_VARYING = re.compile(r"\{V:([\w,() ]+)\}")


class VaryingCarry(CarryMismatch, frozen=True, kw_only=True):
    """A carry that is the same on all devices, and after a round varies over the axes `axes`."""

    axes: tuple[str, ...]


def varying_carry(context: FailureContext) -> VaryingCarry | None:
    """Inside `shard_map`, the body mixes the carry with a block of the device."""
    found = carry_mismatch(context)
    axes = _varying_axes(found.after) - _varying_axes(found.before) if found is not None else set()
    if found is None or not axes:
        return None
    names = tuple(sorted(axes))
    module = found.loop.module if found.loop is not None else found.frame.module
    given = module.text(found.init) if found.init is not None else ""
    facts = {
        "name": found.facts["name"],
        "argument": given,
        "detail": ", ".join(f"`{name}`" for name in names),
        "condition": repr(names).replace("'", '"'),
    }
    start = found.made if found.made is not None else found.init
    leaf = leaf_at(start, found.changes[0].keys)[0] if start is not None else None
    place = module.location(leaf) if leaf is not None else None
    known = {name: getattr(found, name) for name in found.__struct_fields__}
    return VaryingCarry(**{**known, "place": place, "facts": facts}, axes=names)


def _varying_axes(aval: str) -> set[str]:
    """Return the axes of the mesh over which an array varies: `i` in `float32[3]{V:i}`."""
    said = _VARYING.search(aval)
    return set(re.findall(r"\w+", said[1])) if said is not None else set()


def cast_to_varying(found: VaryingCarry) -> Drafts:
    """Declare that the initial carry may differ from device to device."""
    start = found.made if found.made is not None else found.init
    if found.loop is None or start is None:
        return
    draft = Draft(found.loop.module).certain()
    for change in found.changes:
        leaf, rest = leaf_at(start, change.keys)
        if rest:
            return
        after = f', {found.facts["condition"]}, to="varying")'
        draft.wrap(leaf, f"{draft.name('jax.lax.pcast')}(", after)
    yield draft


RULES = (Rule("carry-varies-over-mesh", raised(varying_carry), cast_to_varying),)
