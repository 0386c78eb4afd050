"""Owns the edits that may mend a mistake: which are tried for which cause, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from jaxtutor.core.data.model import Diagnosis, Failure
from jaxtutor.core.diagnosis.edits import Edit, Patch, show_diff
from jaxtutor.core.diagnosis.families.arguments import fix as arguments
from jaxtutor.core.diagnosis.families.arrays import fix as arrays
from jaxtutor.core.diagnosis.families.booleans import fix as booleans
from jaxtutor.core.diagnosis.families.control_flow import fix as control_flow
from jaxtutor.core.diagnosis.families.effects import fix as effects
from jaxtutor.core.diagnosis.families.gradients import fix as gradients
from jaxtutor.core.diagnosis.families.names import fix as names
from jaxtutor.core.diagnosis.families.silent import fix as silent
from jaxtutor.core.diagnosis.families.sizes import fix as sizes
from jaxtutor.core.diagnosis.families.static_args import fix as static_args
from jaxtutor.core.diagnosis.families.values import fix as values
from jaxtutor.core.diagnosis.families.vmap import fix as vmap
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite

__all__ = ["FIXERS", "MOST", "Edit", "Patch", "propose", "show_diff"]

FIXERS: Mapping[str, Fixer] = {
    **booleans.FIXERS,
    **sizes.FIXERS,
    **arrays.FIXERS,
    **values.FIXERS,
    **static_args.FIXERS,
    **effects.FIXERS,
    **control_flow.FIXERS,
    **gradients.FIXERS,
    **vmap.FIXERS,
    **arguments.FIXERS,
    **names.FIXERS,
    **silent.FIXERS,
}
MOST = 3


def propose(
    diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]
) -> Iterator[Patch]:
    """Propose edits that may mend a mistake, the likeliest first; none where no edit is known.

    `failure` is what was diagnosed, and None for a finding. Each edit leaves Python that parses;
    whether it mends the program is for a run to say.
    """
    fixer = FIXERS.get(diagnosis.cause or "")
    if fixer is None:
        return iter(())
    return islice(_patches(fixer, FixSite(diagnosis, failure, sources)), MOST)


def _patches(fixer: Fixer, site: FixSite) -> Iterator[Patch]:
    seen: set[Patch] = set()
    with suppress(RecursionError):  # code nested more deeply than it can be walked
        for draft in fixer(site):
            patch = draft.patch() if draft is not None else None
            if patch is not None and patch not in seen:
                seen.add(patch)
                yield patch
