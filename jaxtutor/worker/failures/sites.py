"""Finds the observations of a NumPyro model whose density is zero, where no start was found."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import numpy as np

from jaxtutor.core.data.failures import ImpossibleSite
from jaxtutor.worker.values import class_name

_HOME = ("numpyro.infer.util", "initialize_model")
"""The function that looks for a start: its trace has the sites with the values it tried last."""


def impossible_sites(frames: Sequence[FrameType]) -> Iterator[ImpossibleSite]:
    """Yield the observed sites at which some elements have no finite log density.

    Only distributions of NumPyro are asked: those of the learner may run any code. If every element
    is at fault, the parameters may be, so that site is left out.
    """
    for frame in frames:
        if (frame.f_globals.get("__name__"), frame.f_code.co_name) != _HOME:
            continue
        trace = frame.f_locals.get("tr")
        for site in list(trace.values()) if isinstance(trace, dict) else ():
            with contextlib.suppress(Exception):  # a distribution that cannot be asked
                found = _impossible(site)
                if found is not None:
                    yield found


def _impossible(site: dict[str, Any]) -> ImpossibleSite | None:
    if site.get("type") != "sample" or not site.get("is_observed"):
        return None
    fn = site["fn"]
    inner = _innermost(fn)
    if not all(type(d).__module__.startswith("numpyro.") for d in (fn, inner)):
        return None
    refused = ~np.isfinite(np.asarray(fn.log_prob(site["value"])))
    outside = ~np.asarray(fn.support(site["value"]))
    value = np.asarray(site["value"], float)
    missing = int(np.isnan(value).sum())
    if not refused.any() or (refused.all() and not outside.any() and not missing):
        return None
    known = value[~np.isnan(value)]
    return ImpossibleSite(
        name=str(site["name"]),
        distribution=class_name(type(inner)),
        lowest=f"{known.min():g}" if known.size else "",
        highest=f"{known.max():g}" if known.size else "",
        missing=missing,
    )


def _innermost(fn: Any) -> Any:
    """Return the distribution inside the wrappers that a plate and `to_event` add."""
    while type(fn).__name__ in ("ExpandedDistribution", "Independent", "MaskedDistribution"):
        fn = fn.base_dist
    return fn
