"""Matches and fixes operations of `jax.lax` between two dtypes, which it does not promote."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import last_part

_SAID = re.compile(r"lax\.(\w+) requires arguments to have the same dtypes, got ([\w, ]+?)\.")
_PROMOTING = re.compile(r"Tip: jnp\.(\w+) ")
_SAME_VALUES = frozenset(
    """where add subtract multiply maximum minimum arctan2 equal not_equal less less_equal greater
    greater_equal concatenate""".split()
)
"""Functions of `jnp` that compute the same as those of `jax.lax`, also of whole numbers."""
_UPDATES = ("dynamic_update_slice", "dynamic_update_slice_in_dim", "dynamic_update_index_in_dim")


class UnlikeDtypes(AtCall, frozen=True, kw_only=True):
    """A call of `jax.lax` with two dtypes; `promoting` is the function of jnp that takes both."""

    promoting: str
    dtypes: tuple[str, ...]


def unlike_dtypes(context: FailureContext) -> UnlikeDtypes | None:
    """An operation of `jax.lax` gets two dtypes."""
    call, said = at_call(context), _SAID.search(context.message)
    if call is None or said is None or not call.path.startswith("jax.lax."):
        return None
    dtypes = tuple(said[2].split(", "))
    tip = _PROMOTING.search(context.message)
    form = "update" if last_part(call.path) in _UPDATES else ""
    facts = {"name": call.module.text(call.node.func), "detail": joined(dtypes)}
    facts["argument"] = f"jnp.{tip[1]}" if tip is not None else "jnp.add"
    if form:
        buffer = argument(call.node, 0, "operand")
        facts["argument"] = f"{call.module.text(buffer)}.dtype" if buffer is not None else "dtype"
    return UnlikeDtypes(
        None,
        facts,
        form,
        context=context,
        node=call.node,
        promoting=tip[1] if tip is not None else "",
        dtypes=dtypes,
    )


def one_dtype(found: UnlikeDtypes) -> Drafts:
    """Convert an update to the dtype of its array; promote otherwise, as `jnp` does."""
    call, module = found.node, found.module
    if found.form == "update":
        buffer, update = argument(call, 0, "operand"), argument(call, 1, "update")
        if buffer is None or update is None:
            return
        draft = Draft(module)
        if _keeps_values(*found.dtypes):
            draft.certain()
        text = f"{atom(module, update)}.astype({atom(module, buffer)}.dtype)"
        yield draft.replace(update, text)
    elif found.promoting and not call.keywords:
        draft = Draft(module)
        is_float = any("float" in dtype for dtype in found.dtypes)
        if found.promoting in _SAME_VALUES or (found.promoting == "divide" and is_float):
            draft.certain()
        yield draft.replace(call.func, draft.name(f"jax.numpy.{found.promoting}"))


def _keeps_values(to: str, dtype: str) -> bool:
    """Return whether a conversion only rounds: no fraction is cut off."""
    return "float" in to or "float" not in dtype


RULES = (Rule("lax-dtypes-differ", raised(unlike_dtypes), one_dtype),)
