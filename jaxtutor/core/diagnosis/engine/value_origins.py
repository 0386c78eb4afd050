"""Follows a value to the expression that made it: through calls, carries of loops and fields."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_name

FARTHEST = 12
"""Steps. A value that comes from farther away is not explained by its origin."""

# The position of the carry among a loop's arguments, its keyword, and among its body's parameters.
_CARRIES = {
    "jax.lax.scan": (1, "init", 0),
    "jax.lax.while_loop": (2, "init_val", 0),
    "jax.lax.fori_loop": (3, "init_val", 1),
}


class ValueOrigin(Struct, frozen=True):
    """The expression that a value comes from.

    `is_near` says that it is assigned in the function that reads the value.
    """

    module: Module
    node: ast.expr
    is_near: bool


def value_origin(frames: Sequence[FrameContext], path: str) -> ValueOrigin | None:
    """Return where the value of a dotted path of the last frame comes from; None where not known.

    `frames` are the learner's, the outermost first.
    """
    tracker = _Tracker(frames, path)
    for _ in range(FARTHEST):
        if not tracker.step():
            break
    return tracker.origin()


class _Tracker:
    """Holds how far the search has come: an expression in a frame, and the fields still to read."""

    def __init__(self, frames: Sequence[FrameContext], path: str) -> None:
        self.frames = frames
        self.level = len(frames) - 1
        self.fields: list[str] = []
        self.line = getattr(frames[-1].node, "lineno", 0)
        self.node: ast.expr = ast.parse(path, mode="eval").body
        self.has_moved = False

    @property
    def frame(self) -> FrameContext:
        return self.frames[self.level]

    def origin(self) -> ValueOrigin | None:
        """Return what was reached, if it is the whole of the requested value."""
        if not self.has_moved or self.fields:
            return None
        return ValueOrigin(self.frame.module, self.node, self.level == len(self.frames) - 1)

    def step(self) -> bool:
        """Go one step back. Return False where the way ends."""
        match self.node:
            case ast.Attribute(value=owner, attr=name) if path_of(owner) is not None:
                self.fields.insert(0, name)
                self.node = owner
                return True
            case ast.Name(id=name):
                return self._to_assignment(name) or self._to_argument(name)
            case ast.Call() if self.fields:
                return self._to_field(self.node)
        return False

    def _to_assignment(self, name: str) -> bool:
        """Go to what the only assignment above gave to a name."""
        scope = self.frame.function or self.frame.module.tree
        made = [s for s in self.frame.module.assignments(name, scope) if s.lineno <= self.line]
        if len(made) != 1 or name in set(parameter_names(self.frame.function)):
            return False
        value = getattr(made[0], "value", None)
        targets = getattr(made[0], "targets", [getattr(made[0], "target", None)])
        if not isinstance(value, ast.expr) or not isinstance(targets[0], ast.Name):
            return False
        self._move(value, made[0].lineno - 1)
        return True

    def _to_argument(self, name: str) -> bool:
        """Go to what the calling frame passed for a parameter."""
        caller = self.frames[self.level - 1] if self.level else None
        call = caller.node if caller is not None else None
        if caller is None or not isinstance(call, ast.Call):
            return False
        given = self._caller_value(caller, call, name)
        if given is None:
            return False
        self.level -= 1
        self._move(given, call.lineno)
        return True

    def _caller_value(self, caller: FrameContext, call: ast.Call, name: str) -> ast.expr | None:
        """Return what a call passes for a parameter, or the carry that a loop starts with."""
        function = self.frame.function
        names = parameter_names(function)
        if function is None or name not in names:
            return None
        carry = _CARRIES.get(caller.callee(call) or "")
        if carry is not None:
            position, keyword, place = carry
            return argument(call, position, keyword) if names.index(name) == place else None
        called = last_name(call.func)
        if called != getattr(function, "name", None):
            return None
        return argument_for(function, call, name)

    def _to_field(self, call: ast.Call) -> bool:
        """Go to what a constructor of the learner's was given for a field."""
        made = last_name(call.func)
        classes = [
            node
            for frame in self.frames
            for node in frame.module.nodes
            if isinstance(node, ast.ClassDef) and node.name == made
        ]
        names = fields_of(classes[0]) if classes else []
        if self.fields[0] not in names:
            return False
        given = argument(call, names.index(self.fields[0]), self.fields[0])
        if given is None:
            return False
        self.fields.pop(0)
        self._move(given, call.lineno)
        return True

    def _move(self, node: ast.expr, line: int) -> None:
        self.node, self.line, self.has_moved = node, line, True


def fields_of(made: ast.ClassDef) -> list[str]:
    """List the annotated fields of a class, which a dataclass or a named tuple is made with."""
    return [path_of(n.target) or "" for n in made.body if isinstance(n, ast.AnnAssign)]
