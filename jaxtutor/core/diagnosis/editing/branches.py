"""Turns branches into values: `if` statements into `jnp.where` or `lax.cond`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.conditions import truth
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import atom, comments_in, indent_of, rewrite
from jaxtutor.core.diagnosis.editing.updates import SIGNS
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes
from jaxtutor.core.diagnosis.reading.names import all_names

Value = str | tuple[str, ...]  # an expression, or those of a tuple
Env = Mapping[str, str]
IsTraced = Callable[[ast.expr], bool]
WIDTH = 88


class UnsupportedBranch(Exception):
    """A branch does more than to compute values."""


class Branching:
    """A branching with its conditions written for arrays: an `if` chain or a `match`."""

    def __init__(self, test: str, then: list[ast.stmt], other: Branching | list[ast.stmt]) -> None:
        self.test = test
        self.then = then
        self.other = other


class BranchMerger:
    """Turns the branches of one place into expressions that compute both sides.

    `form` is `where` or `cond`. What a branch needs on its way is written before, as `hoisted`.
    """

    def __init__(self, draft: Draft, form: str, at: ast.stmt, is_traced: IsTraced) -> None:
        self.draft = draft
        self.module: Module = draft.module
        self.form = form
        self.is_traced = is_traced
        self.hoisted: list[str] = []
        self._bound = self._bound_outside(at)

    def _bound_outside(self, at: ast.stmt) -> set[str]:
        """List the names that have a value without the statement at hand."""
        inside = set(map(id, ast.walk(at)))
        scope = self.module.scope(at)
        found = {
            name
            for node in own_nodes(scope)
            if isinstance(node, ast.stmt) and id(node) not in inside and node.lineno < at.lineno
            for name in bound_names(node)
        }
        arguments = getattr(scope, "args", None)
        given = ast.walk(arguments) if arguments is not None else ()
        return found | {a.arg for a in given if isinstance(a, ast.arg)}

    # ------------------------------------------------------------ values

    def choose(self, test: str, then: Value, other: Value) -> Value:
        """Write the choice between two values."""
        if then == other:
            return then
        if isinstance(then, tuple) and isinstance(other, tuple) and len(then) == len(other):
            if self.form == "where":
                pairs = zip(then, other, strict=True)
                return tuple(str(self.choose(test, a, b)) for a, b in pairs)
            return self._cond(test, f"({', '.join(then)})", f"({', '.join(other)})")
        if isinstance(then, tuple) or isinstance(other, tuple):
            raise UnsupportedBranch
        if self.form == "cond":
            return self._cond(test, then, other)
        return f"{self.draft.name('jax.numpy.where')}({test}, {then}, {other})"

    def _cond(self, test: str, then: str, other: str) -> str:
        return f"{self.draft.name('jax.lax.cond')}({test}, lambda: {then}, lambda: {other})"

    def text(self, node: ast.expr, env: Env) -> str:
        """Write an expression with the values that names have in a branch."""
        parts: dict[ast.AST, str] = {
            n: _grouped(env[n.id])
            for n in ast.walk(node)
            if isinstance(n, ast.Name) and n.id in env
        }
        if any(isinstance(n, ast.Lambda) for n in ast.walk(node)) and parts:
            raise UnsupportedBranch
        return rewrite(self.module, node, parts)

    def value(self, node: ast.expr, env: Env) -> Value:
        """Write an expression; the parts of a tuple apart."""
        if isinstance(node, ast.Tuple):
            return tuple(self.text(item, env) for item in node.elts)
        return self.text(node, env)

    # ------------------------------------------------------------ a branch that returns

    def returned(self, block: list[ast.stmt], env: dict[str, str]) -> Value:
        """Write what a block returns."""
        for position, statement in enumerate(block):
            rest = block[position + 1 :]
            match statement:
                case ast.Return(value=ast.expr() as value):
                    return self.value(value, env)
                case ast.If() | ast.Match():
                    choice = self.read(statement)
                    if isinstance(choice, Branching):
                        return self._returned_of(choice, rest, env)
                    raise UnsupportedBranch
                case _:
                    self._assign(statement, env)
        raise UnsupportedBranch

    def _returned_of(self, choice: Branching, rest: list[ast.stmt], env: dict[str, str]) -> Value:
        test = self._in(choice.test, env)
        then = self.returned([*choice.then, *rest], dict(env))
        if isinstance(choice.other, Branching):
            return self.choose(test, then, self._returned_of(choice.other, rest, env))
        return self.choose(test, then, self.returned([*choice.other, *rest], dict(env)))

    def _in(self, test: str, env: Env) -> str:
        """Write a condition with the values of a branch."""
        module = Module("", test, ast.parse(test))
        names = [n for n in module.nodes if isinstance(n, ast.Name) and n.id in env]
        if not names:
            return test
        expression = module.tree.body[0]
        if "\n" in test or not isinstance(expression, ast.Expr):
            raise UnsupportedBranch
        return rewrite(module, expression.value, {n: _grouped(env[n.id]) for n in names})

    # ------------------------------------------------------------ a branch that assigns

    def assigned(self, block: list[ast.stmt], before: Env | None = None) -> dict[str, str]:
        """List what a block gives to each of its targets, with what held before it."""
        env = dict(before or {})
        for statement in block:
            if isinstance(statement, ast.If | ast.Match):
                choice = self.read(statement)
                if choice is None:
                    raise UnsupportedBranch
                env.update(self.merged(choice, env))
            else:
                self._assign(statement, env)
        return env

    def merged(self, choice: Branching, env: Env | None = None) -> dict[str, str]:
        """List what the branches together give to each target."""
        env = env or {}
        test, other = self._in(choice.test, env), choice.other
        then = self.assigned(choice.then, env)
        if isinstance(other, Branching):
            orelse = {**env, **self.merged(other, env)}
        else:
            orelse = self.assigned(other, env)
        found: dict[str, str] = {}
        for target in dict.fromkeys([*then, *orelse]):
            if target in then and target in orelse:
                found[target] = str(self.choose(test, then[target], orelse[target]))
            elif target.endswith("("):
                raise UnsupportedBranch
            elif target.isidentifier() and target not in self._bound:
                self.hoisted.append(f"{target} = {then.get(target, orelse.get(target, ''))}")
            else:
                kept = env.get(target, target)
                sides = then.get(target, kept), orelse.get(target, kept)
                found[target] = str(self.choose(test, *sides))
        return found

    def _assign(self, statement: ast.stmt, env: dict[str, str]) -> None:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                env[name] = self.text(value, env)
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                env[self.module.text(target)] = self.text(value, env)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                env[name] = self.text(value, env)
            case ast.Assign(targets=[ast.Tuple() as names], value=ast.Tuple() as values):
                self._bind_all(names, values, env)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                sign = SIGNS.get(type(op))
                if sign is None:
                    raise UnsupportedBranch
                before, right = _grouped(env.get(name, name)), _grouped(self.text(value, env))
                env[name] = f"{before} {sign} {right}"
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append") as add, args=[value])):
                added = self.module.text(add) + "("
                if added in env:
                    raise UnsupportedBranch
                env[added] = self.text(value, env)
            case _:
                raise UnsupportedBranch

    def _bind_all(self, names: ast.Tuple, values: ast.Tuple, env: dict[str, str]) -> None:
        if len(names.elts) != len(values.elts):
            raise UnsupportedBranch
        texts = [self.text(value, env) for value in values.elts]
        for name, text in zip(names.elts, texts, strict=True):
            if not isinstance(name, ast.Name):
                raise UnsupportedBranch
            env[name.id] = text

    # ------------------------------------------------------------ reading conditions

    def read(self, statement: ast.If | ast.Match) -> Branching | None:
        """Read a branching statement; None where a condition cannot be written for arrays."""
        if isinstance(statement, ast.Match):
            return self._read_match(statement)
        test = truth(self.draft, statement.test)
        if test is None:
            return None
        other: Branching | list[ast.stmt] = statement.orelse
        if len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
            inner = self.read(statement.orelse[0])
            other = inner if inner is not None else statement.orelse
        return Branching(test, statement.body, other)

    def _read_match(self, statement: ast.Match) -> Branching | None:
        subject = atom(self.module, statement.subject)
        choice: Branching | list[ast.stmt] = []
        for case in reversed(statement.cases):
            if case.guard is not None:
                return None
            test = _pattern(self.module, subject, case.pattern)
            if test is None:
                return None
            choice = case.body if test == "" else Branching(test, case.body, choice)
        return choice if isinstance(choice, Branching) else None


def _pattern(module: Module, subject: str, pattern: ast.pattern) -> str | None:
    """Write a pattern as a condition; empty for the one that fits everything."""
    match pattern:
        case ast.MatchValue(value=value):
            return f"{subject} == {module.text(value)}"
        case ast.MatchOr(patterns=patterns):
            texts = [_pattern(module, subject, p) for p in patterns]
            return None if not all(texts) else " | ".join(f"({text})" for text in texts)
        case ast.MatchAs(pattern=None, name=None):
            return ""
    return None


def _grouped(text: str) -> str:
    """Put an expression in parentheses unless it can stand beside an operator."""
    node = ast.parse(text, mode="eval").body
    is_atom = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant)
    return text if is_atom or _is_wrapped(text) else f"({text})"


# ---------------------------------------------------------------- statements


def merge(module: Module, node: ast.If | ast.Match, form: str, is_traced: IsTraced) -> Draft | None:
    """Write a branching statement, and the returns after it, as values."""
    draft = Draft(module)
    merger = BranchMerger(draft, form, node, is_traced)
    try:
        if any(isinstance(n, ast.Return) for s in _bodies(node) for n in ast.walk(s)):
            return _merge_returns(draft, merger, node)
        return _merge_assignments(draft, merger, node)
    except UnsupportedBranch:
        return None


def _bodies(node: ast.If | ast.Match) -> list[ast.stmt]:
    if isinstance(node, ast.Match):
        return [s for case in node.cases for s in case.body]
    return [*node.body, *node.orelse]


def _merge_returns(draft: Draft, merger: BranchMerger, node: ast.If | ast.Match) -> Draft | None:
    module = draft.module
    parent = module.parents.get(node)
    body = getattr(parent, "body", None)
    if not isinstance(parent, ast.FunctionDef) or not isinstance(body, list) or node not in body:
        return None
    block = body[body.index(node) :]
    value = merger.returned(block, {})
    text = layout("return ", value, indent_of(module, node))
    return _put(draft, merger, node, block[-1], [text])


def _merge_assignments(
    draft: Draft, merger: BranchMerger, node: ast.If | ast.Match
) -> Draft | None:
    module, last = draft.module, node
    is_skip = isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse
    if is_skip and isinstance(node, ast.If) and isinstance(node.body[0], ast.Continue):
        block = getattr(module.parents.get(node), "body", [])
        rest = block[block.index(node) + 1 :] if node in block else []
        test = truth(draft, node.test)
        if test is None or not rest:
            return None
        found = merger.merged(Branching(test, [], rest))
        return _put(draft, merger, node, rest[-1], _assignments(module, node, found, test))
    choice = merger.read(node)
    if choice is None:
        return None
    found = merger.merged(choice)
    lines = _assignments(module, node, found, choice.test)
    return _put(draft, merger, node, last, lines) if lines or merger.hoisted else None


def _assignments(module: Module, node: ast.stmt, found: dict[str, str], test: str) -> list[str]:
    indent = indent_of(module, node)
    added = [f"{target}{text})" for target, text in found.items() if target.endswith("(")]
    found = {target: text for target, text in found.items() if not target.endswith("(")}
    if len(found) > 1 and _is_hazard(found, test):
        return [layout(f"{', '.join(found)} = ", tuple(found.values()), indent), *added]
    lines = [layout(f"{target} = ", text, indent) for target, text in found.items()]
    return [*added, *lines]


def _is_hazard(found: dict[str, str], test: str) -> bool:
    """Return whether a value reads a target that has been assigned before it, or the test does."""
    done: set[str] = set()
    for target, text in found.items():
        names = all_names(ast.parse(f"({text}, {test})"))
        if names & done:
            return True
        done.add(target)
    return False


def _put(
    draft: Draft, merger: BranchMerger, first: ast.stmt, last: ast.stmt, lines: list[str]
) -> Draft | None:
    module = draft.module
    indent = indent_of(module, first)
    start, end = module.span(first), module.span(last)
    if module.lines[start.line - 1][: start.column].strip():
        return None  # `else: if` on one line, or something before a semicolon
    kept = comments_in(module, start.line, end.end_line)
    hoisted = list(dict.fromkeys(merger.hoisted))
    text = ("\n" + indent).join([*kept, *hoisted, *lines])
    return draft.replace(Span(start.line, start.column, end.end_line, end.end_column), text)


def layout(head: str, value: Value, indent: str) -> str:
    """Write a statement on one line, or a tuple's parts on lines of their own."""
    if isinstance(value, str):
        bare = value[1:-1] if _is_wrapped(value) else value
        return head + bare
    line = head + ", ".join(value)
    if len(indent + line) <= WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{indent}    {part},\n" for part in value)
    return f"{head}(\n{inner}{indent})"


def _is_wrapped(text: str) -> bool:
    """Return whether one pair of parentheses holds all of a text."""
    if text[:1] != "(" or text[-1:] != ")" or "\n" in text or "," in text:
        return False
    depth = 0
    for position, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return position == len(text) - 1
    return False
