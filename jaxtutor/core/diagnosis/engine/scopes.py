"""Resolves names by Python's rules: which reads in a scope mean the names of that scope.

A function, a lambda and a comprehension bind names of their own, which hide those outside. What a
class binds hides nothing from its methods, and its body may read an outer name before it binds it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from jaxtutor.core.diagnosis.engine.source import own_nodes

Names = frozenset[str]
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NONE: Names = frozenset()
Visit = tuple[ast.AST, Names]


def reads_of(scope: ast.AST, name: str) -> list[ast.Name]:
    """List where a scope, and those nested in it, read a name of the scope, in source order.

    The defaults and decorators of a function do not see what the function binds.
    """
    if not isinstance(scope, (*_FUNCTIONS, ast.Module)):
        return [read for read in _visible(scope) if read.id == name]
    if scope not in _known:
        found = _known[scope] = {}
        for read in _visible(scope):
            found.setdefault(read.id, []).append(read)
    return list(_known[scope].get(name, ()))


_known = WeakKeyDictionary[ast.AST, dict[str, list[ast.Name]]]()
"""The reads of the scopes whose trees are in use: many rules ask for the same ones."""


def outer_names(node: ast.AST) -> Names:
    """Return the names that a node reads and that no scope in it binds."""
    return frozenset(read.id for read in _reads([(node, _NONE)], sees_globals=True))


def _visible(scope: ast.AST) -> Iterator[ast.Name]:
    if not isinstance(scope, (*_FUNCTIONS, *_COMPREHENSIONS)):
        return _reads([(scope, _NONE)], sees_globals=isinstance(scope, ast.Module))
    outside, inside = _outside_and_inside(scope)
    hidden = bound_in(scope)
    return _reads([*((part, hidden) for part in outside), *((part, _NONE) for part in inside)])


def _reads(waiting: list[Visit], sees_globals: bool = False) -> Iterator[ast.Name]:
    """Yield the reads in some nodes, of other names than the hidden ones that are given beside."""
    waiting.reverse()
    while waiting:
        node, hidden = waiting.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id not in hidden:
                yield node
        elif isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS)):
            outside, inside = _outside_and_inside(node)
            declared = _declared_global(node)
            hidden_here = hidden - declared if sees_globals else hidden | declared
            within = hidden_here | bound_in(node)
            waiting += [(part, within) for part in reversed(inside)]
            waiting += [(part, hidden) for part in reversed(outside)]
        else:
            waiting += [(child, hidden) for child in reversed([*ast.iter_child_nodes(node)])]


def _outside_and_inside(scope: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """Return the parts of a scope that are evaluated outside of it, and those inside."""
    match scope:
        case ast.Lambda(args=args, body=body):
            return [args], [body]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            result = [scope.returns] if scope.returns is not None else []
            return [*scope.decorator_list, scope.args, *result], [*scope.body]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            first, *others = scope.generators
            made = [scope.key, scope.value] if isinstance(scope, ast.DictComp) else [scope.elt]
            return [first.iter], [*made, first.target, *first.ifs, *others]
    return [], [scope]


def bound_in(scope: ast.AST) -> Names:
    """Return the names that a function, a lambda or a comprehension binds as its own."""
    if isinstance(scope, _COMPREHENSIONS):
        targets = (generator.target for generator in scope.generators)
        return frozenset(name for target in targets for name in _stored(target))
    if scope not in _bound:
        _bound[scope] = frozenset(_bound_by_function(scope))
    return _bound[scope]


_bound = WeakKeyDictionary[ast.AST, Names]()


def _bound_by_function(function: ast.AST) -> Iterator[str]:
    """Yield the parameters of a function, and what its own statements bind."""
    nodes = list(own_nodes(function))
    rounds = (node.target for node in nodes if isinstance(node, ast.comprehension))
    of_rounds = {name for target in rounds for name in ast.walk(target)}
    elsewhere = _declared(nodes, ast.Global, ast.Nonlocal)
    if isinstance(function, _FUNCTIONS):
        given = ast.iter_child_nodes(function.args)
        yield from (parameter.arg for parameter in given if isinstance(parameter, ast.arg))
    for node in nodes:
        if node not in of_rounds:
            yield from (name for name in _bound_at(node) if name not in elsewhere)


def _bound_at(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=path, asname=name):
            yield name or path.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name


def _declared_global(scope: ast.AST) -> Names:
    is_function = isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
    return _declared(own_nodes(scope), ast.Global) if is_function else _NONE


def _declared(nodes: Iterable[ast.AST], *kinds: type[ast.Global | ast.Nonlocal]) -> Names:
    """Return the names that `global`, or `nonlocal`, declares in some nodes."""
    return frozenset(name for node in nodes if isinstance(node, kinds) for name in node.names)


def _stored(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
