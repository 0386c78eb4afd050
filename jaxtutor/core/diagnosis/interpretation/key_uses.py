"""Follows random keys through functions, to where one is drawn from a second time.

What uses a key up is what `jax.experimental.key_reuse` says: a draw and a split do, `fold_in` and
`clone` do not. A split after a draw is left out: it hardly ever changes results. A key that was
drawn from on one of two paths only is not followed further.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.interpretation.flow import Flow
from jaxtutor.core.diagnosis.reading.calls import argument, is_unread

_NOT_USING = frozenset(
    "key PRNGKey fold_in clone key_data wrap_key_data key_impl default_prng_impl".split()
)
_CHOOSING = frozenset({"permutation", "choice"})


class RepeatedUse(Struct, frozen=True):
    """A call that draws from a key a second time, and the first one: itself in a loop."""

    call: ast.Call
    key: ast.expr
    first: ast.Call


def read_repeated_uses(module: Module) -> tuple[RepeatedUse, ...]:
    """List the draws from keys that were drawn from before, each once."""
    return module.once(_repeated_uses)


def _repeated_uses(module: Module) -> tuple[RepeatedUse, ...]:
    if not any(path.partition(".")[0] == "jax" for path in module.imports.values()):
        return ()
    found = dict[ast.Call, RepeatedUse]()
    _Keys(module, found).block(module.tree.body)
    return tuple(found.values())


class _Keys(Flow[ast.Call]):
    """Remembers of each key the call that used it: of a plain name, or of `keys[0]`."""

    def __init__(self, module: Module, found: dict[ast.Call, RepeatedUse]) -> None:
        super().__init__(module, {})
        self.found = found

    def learn(self, name: str, known: ast.Call | None) -> None:
        """Forget how a name that gets a new value was used, and its elements."""
        super().learn(name, known)
        for key in [key for key in self.known if key.startswith(f"{name}[")]:
            del self.known[key]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read a function, which begins with keys that nothing has used."""
        _Keys(self.module, self.found).block(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Read a function, which begins with keys that nothing has used."""
        _Keys(self.module, self.found).block(node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Read a lambda, which begins with keys that nothing has used."""
        _Keys(self.module, self.found).visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read the methods."""
        _Keys(self.module, self.found).block(node.body)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """Read the first two rounds."""
        self._rounds(node.generators, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """Read the first two rounds."""
        self._rounds(node.generators, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Read the first two rounds."""
        self._rounds(node.generators, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """Read the first two rounds."""
        self._rounds(node.generators, node.key, node.value)

    def _rounds(self, generators: list[ast.comprehension], *parts: ast.expr) -> None:
        for each in generators:
            self.visit(each.iter)
        with self.rounds() as rounds:
            for _ in rounds:
                for each in generators:
                    self.bind(each.target, None)
                for part in parts:
                    self.visit(part)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Read both values."""
        self.visit(node.test)
        ends = [self.branch([ast.Expr(value)]) for value in (node.body, node.orelse)]
        self.meet(ends)

    def visit_Call(self, node: ast.Call) -> None:
        """Note the key that a call uses up, unless nothing reads what it draws."""
        self.generic_visit(node)
        home, _, name = (self.module.dotted(node.func) or "").rpartition(".")
        if home != "jax.random" or name in _NOT_USING or self.is_guarded:
            return
        key = argument(node, 0, "key")
        path = self._path(key)
        if key is None or path is None or is_unread(self.module, node):
            return
        first = self.known.get(path)
        if first is None:
            self.known[path] = node
        elif not self._is_harmless_pair(first, node, name):
            self.found.setdefault(node, RepeatedUse(node, key, first))

    def _is_harmless_pair(self, first: ast.Call, second: ast.Call, name: str) -> bool:
        """Return whether two draws take the same rows of two arrays, or a split does no harm."""
        _, _, earlier = (self.module.dotted(first.func) or "").rpartition(".")
        if first is not second and {earlier, name} <= _CHOOSING:
            return True
        return name == "split" and earlier != "split"

    def _path(self, key: ast.expr | None) -> str | None:
        match key:
            case ast.Name(id=name):
                return name
            case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=int())):
                return self.module.text(key)
        return None
