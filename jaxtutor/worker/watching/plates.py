"""Reads from NumPyro's own check of a model where observations are repeated along an axis."""

from __future__ import annotations

from types import FrameType
from typing import Any

from jaxtutor.core.data.observations import ObservedRepeated

MESSAGE = "Missing a plate statement for batch dimension"


def repeated_site(frame: FrameType | None) -> ObservedRepeated | None:
    """Return the name and shapes of an observed site whose values are repeated to a larger shape.

    `frame` is that of the check, which warns while its `site` is the one at fault.
    """
    site = frame.f_locals.get("site") if frame is not None else None
    if not isinstance(site, dict) or not site.get("is_observed"):
        return None
    distribution: Any = site.get("fn")
    shape = getattr(site.get("value"), "shape", None)
    batch = getattr(distribution, "batch_shape", None)
    event = getattr(distribution, "event_shape", None)
    if shape is None or batch is None or event is None:
        return None
    given = tuple(shape)[: len(shape) - len(event)]
    if given == tuple(batch) or any(n != 1 and n not in given for n in batch):
        return None
    return ObservedRepeated(str(site.get("name")), str(given), str(tuple(batch)))
