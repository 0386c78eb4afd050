"""Raises what is wrong with the machine and its libraries, which no submission is to blame for."""

from __future__ import annotations

from jaxtutor.core.data.facts import BrokenLibrary, NoDevice, Outcome
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.errors import TutorError
from jaxtutor.system.packages import INSTALL_LIBRARIES


def refuse_environment(outcome: Outcome) -> None:
    """Raise TutorError if the device does not exist, or a library cannot be imported."""
    for broken in pick(outcome, BrokenLibrary):
        raise TutorError(
            f"`{broken.statement}` fails here: {broken.error_class}: {broken.message}",
            "The library is at fault, not your file. "
            f"Try: {INSTALL_LIBRARIES.replace('install', 'install --upgrade', 1)}",
        )
    for missing in pick(outcome, NoDevice):
        raise TutorError(
            f"Device {missing.asked!r} does not exist on this machine.",
            f"JAX can run on {', '.join(missing.known)}. See: jaxtutor devices",
        )
