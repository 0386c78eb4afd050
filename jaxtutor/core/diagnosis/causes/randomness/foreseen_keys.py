"""Names the keys that the source shows to be used twice: what `lint` says without a run."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, foreseen
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.interpretation.key_uses import read_repeated_uses


def repeated_uses(module: Module) -> Iterator[Finding]:
    """Yield each draw from a key that was drawn from before, in another line or by itself."""
    for use in read_repeated_uses(module):
        facts = {"name": module.text(use.key), "detail": str(use.first.lineno)}
        form = "again" if use.first.lineno != use.call.lineno else ""
        yield finding(module, use.call, facts, form)


RULES = (Rule("prng-key-reuse", foreseen(repeated_uses)),)
