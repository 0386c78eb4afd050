"""Finds the function, class or object of the learner's that a library called, and that refused.

`self.variable("stats", "u", init, shape)` calls `init(shape)`: where that raises, the function that
has to be understood is `init`, and neither the one that the learner called nor the library's own.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from types import FrameType

from jaxtutor.core.data.failures import HandedValue
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.worker import positions
from jaxtutor.worker.failures import signatures
from jaxtutor.worker.failures.frame_values import MISSING, reach
from jaxtutor.worker.failures.name_facts import is_owned
from jaxtutor.worker.internals.places import IsOwn

MOST_LEVELS = 6
"""Levels above the raise in which the call of a class is searched: it goes through a metaclass."""


def refused_call(
    levels: Sequence[tuple[FrameType, int, int]], arguments: Mapping[str, object], is_own: IsOwn
) -> HandedValue | None:
    """Return the value that a library's frame was calling, if it came from the learner.

    `levels` are those after the learner's last one, and `arguments` the values that the learner's
    call passed, by their texts. A class of the learner's is known by itself. A function of theirs
    is left out: the message names it, and the source shows it.
    """
    innermost_first = list(reversed(levels))[:MOST_LEVELS]
    for depth, (frame, lasti, _) in enumerate(innermost_first):
        node = _evaluated(frame, lasti)
        path = path_of(node.func) if isinstance(node, ast.Call) else None
        value = reach(path, frame)[-1] if path is not None else MISSING
        is_class = issubclass(type(value), type)
        if not isinstance(node, ast.Call) or value is MISSING or (depth and not is_class):
            continue
        texts = [text for text, passed in arguments.items() if passed is value]
        if is_class == is_owned(value, is_own) and (texts or is_class):
            return HandedValue(
                given=texts[0] if texts else "",
                name=str(getattr(value, "__qualname__", "")),
                is_class=is_class,
                parameters=signatures.of_function(value),
                passed=_count(node, frame),
            )
    return None


def _evaluated(frame: FrameType, lasti: int) -> ast.AST | None:
    """Return the expression that a library's frame was evaluating."""
    module = positions.module_of(frame.f_code.co_filename)
    span = positions.span_at(frame.f_code, lasti)
    return module.node_at(span) if module is not None and span is not None else None


def _count(call: ast.Call, frame: FrameType) -> int | None:
    """Count the arguments that a call passes by position; None where one cannot be counted."""
    count = 0
    for given in call.args:
        if not isinstance(given, ast.Starred):
            count += 1
            continue
        path = path_of(given.value)
        spread = reach(path, frame)[-1] if path is not None else MISSING
        if type(spread) not in (tuple, list):
            return None
        count += len(spread)  # type: ignore[arg-type]
    return count
