"""Defines the match of a call whose arguments its function does not take."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode

ARITY = re.compile(
    r"([\w.<>]+)\(\) (?:takes .*positional argument|missing \d+ required|got an unexpected keyword"
    r"|got multiple values)"
)


class WrongArity(AtFrame, frozen=True, kw_only=True):
    """A call with too few or too many arguments; `missing` are the parameters that got none."""

    missing: tuple[str, ...]
    function: FunctionNode | None = None  # the learner's own, if a library calls it
