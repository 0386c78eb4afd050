"""Turns Python loops into `lax.while_loop`, `lax.fori_loop` and masked iterations."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.conditions import truth
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in, own_nodes
from jaxtutor.core.diagnosis.reading.calls import method_of

_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)


class LoopCarry:
    """The names that a loop hands from one round to the next, in the order of their first line."""

    def __init__(
        self, module: Module, loop: ast.While | ast.For, body: list[ast.stmt] | None = None
    ) -> None:
        self.module = module
        self.loop = loop
        self.body = loop.body if body is None else body

    def names(self) -> list[str] | None:
        """List the names; None where one has no value before the loop or the loop has effects."""
        inside = [n for s in self.body for n in _walk(s)]
        if any(isinstance(n, _LEAVING) for n in inside) or any(map(_is_effect, inside)):
            return None
        bound = self._names_bound(inside)
        targets = _loop_targets(self.loop)
        known = self.before()
        carried: list[str] = []
        for name in bound:
            if name in targets:
                continue
            if not self.is_needed(name):
                continue
            if name not in known:
                return None
            carried.append(name)
        return carried or None

    def _names_bound(self, inside: list[ast.AST]) -> list[str]:
        places = [(n.lineno, n) for n in inside if isinstance(n, ast.stmt)]
        places.sort(key=lambda item: item[0])
        return list(dict.fromkeys(name for _, n in places for name in sorted(bound_names(n))))

    def before(self) -> set[str]:
        """List the names that have a value before the loop."""
        scope = self.module.scope(self.loop)
        found = {
            name
            for node in own_nodes(scope)
            if isinstance(node, ast.stmt) and node.lineno < self.loop.lineno
            for name in bound_names(node)
        }
        arguments = getattr(scope, "args", None)
        given = ast.walk(arguments) if arguments is not None else ()
        return found | {a.arg for a in given if isinstance(a, ast.arg)}

    def is_needed(self, name: str) -> bool:
        """Return whether a round reads the name before it binds it, or what follows reads it."""
        test = self.loop.test if isinstance(self.loop, ast.While) else None
        if test is not None and name in names_in(test):
            return True
        return _is_read_first(self.body, name) or self._is_read_after(name)

    def dependent(self) -> list[str]:
        """List the names that a round reads as the round before left them, whatever else it does.

        A list that only grows is not one of them: it collects results.
        """
        inside = [n for s in self.body for n in _walk(s)]
        targets, known = _loop_targets(self.loop), self.before()
        names = [n for n in self._names_bound(inside) if n in known and n not in targets]
        return [n for n in names if _is_read_first(self.body, n)]

    def _is_read_after(self, name: str) -> bool:
        end = self.loop.end_lineno or self.loop.lineno
        scope = self.module.scope(self.loop)
        after = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.lineno > end]
        reads = [n for n in after if n.id == name]
        outer = [n for n in self.module.ancestors(self.loop) if isinstance(n, ast.For | ast.While)]
        return (bool(reads) and isinstance(reads[0].ctx, ast.Load)) or bool(outer)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a statement without entering the functions in it."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child)


def _is_effect(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute | ast.Subscript):
        return isinstance(node.ctx, ast.Store)
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and not _is_debug(call)


def _is_debug(call: ast.Call) -> bool:
    return method_of(call) in ("print", "callback")


def _loop_targets(loop: ast.While | ast.For) -> set[str]:
    return bound_names(loop) if isinstance(loop, ast.For) else set()


def _is_read_first(body: Iterable[ast.stmt], name: str) -> bool:
    for statement in body:
        if isinstance(statement, ast.Assign):
            if name in names_in(statement.value):
                return True
            if name in bound_names(statement):
                return False
        elif (
            (isinstance(statement, ast.AugAssign) and name in bound_names(statement))
            or name in names_in(statement)
            or name
            in {b for n in ast.walk(statement) if isinstance(n, ast.stmt) for b in bound_names(n)}
        ):
            return True
    return False


# ---------------------------------------------------------------- writing


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names)


def _state(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _loop_function(
    indent: str, name: str, given: list[str], state: str, names: list[str], body: list[str]
) -> list[str]:
    """Write a function of a loop, which takes its state apart at the top."""
    inner = indent + "    "
    lines = [f"{indent}def {name}({', '.join(given)}):"]
    if len(names) > 1:
        lines.append(f"{inner}{', '.join(names)} = {state}")
    return [*lines, *body]


def _body_lines(module: Module, loop: ast.While | ast.For) -> list[str] | None:
    """Return the lines of a loop's body as they stand."""
    first, last = loop.body[0], loop.body[-1]
    if first.lineno == loop.lineno or loop.orelse:
        return None
    top = (module.header(loop)).end_line
    return module.lines[top : last.end_lineno]


def while_to_lax(module: Module, loop: ast.While) -> Draft | None:
    """Write a `while` as lax.while_loop, with its body as it stands."""
    draft = Draft(module)
    names = LoopCarry(module, loop).names()
    body = _body_lines(module, loop)
    test = truth(draft, loop.test)
    if names is None or body is None or test is None:
        return None
    return _put_while(draft, loop, names, test, body)


def _put_while(
    draft: Draft, loop: ast.While, names: list[str], test: str, body: list[str]
) -> Draft:
    module = draft.module
    indent = indent_of(module, loop)
    inner = indent + "    "
    state = fresh_name(module, "state", "carry") if len(names) > 1 else names[0]
    keep = fresh_name(module, "keep_going", "is_unfinished")
    step = fresh_name(module, "one_round", "loop_body")
    text = [
        *_loop_function(indent, keep, [state], state, names, [f"{inner}return {test}"]),
        "",
        *_loop_function(indent, step, [state], state, names, body),
        f"{inner}return {_tuple(names)}",
        "",
        f"{indent}{_tuple(names)} = {draft.name('jax.lax.while_loop')}"
        f"({keep}, {step}, {_state(names)})",
    ]
    return _replace_loop(draft, loop, text)


def _replace_loop(draft: Draft, loop: ast.While | ast.For, lines: list[str]) -> Draft:
    span = draft.module.span(loop)
    place = Span(span.line, 0, span.end_line, span.end_column)
    return draft.replace(place, "\n".join(lines))


def for_to_fori(module: Module, loop: ast.For) -> Draft | None:
    """Write a `for` over a range as lax.fori_loop, with its body as it stands."""
    names = LoopCarry(module, loop).names()
    body = _body_lines(module, loop)
    bounds = _range(loop)
    if names is None or body is None or bounds is None or not isinstance(loop.target, ast.Name):
        return None
    draft = Draft(module)
    indent = indent_of(module, loop)
    state = fresh_name(module, "state", "carry") if len(names) > 1 else names[0]
    step = fresh_name(module, "one_round", "loop_body")
    low, high = (module.text(bound) if bound is not None else "0" for bound in bounds)
    text = [
        *_loop_function(indent, step, [loop.target.id, state], state, names, body),
        f"{indent}    return {_tuple(names)}",
        "",
        f"{indent}{_tuple(names)} = {draft.name('jax.lax.fori_loop')}"
        f"({low}, {high}, {step}, {_state(names)})",
    ]
    return _replace_loop(draft, loop, text)


def _range(loop: ast.For) -> tuple[ast.expr | None, ast.expr] | None:
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[stop], keywords=[]):
            return None, stop
        case ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]):
            return start, stop
    return None


# ---------------------------------------------------------------- leaving a loop early


def mask_break(module: Module, guard: ast.If, loop: ast.For) -> Draft | None:
    """Write `if c: break` as a flag, after which the rounds change nothing."""
    if [type(s) for s in guard.body] != [ast.Break] or guard.orelse or loop.orelse:
        return None
    draft = Draft(module)
    test = truth(draft, guard.test)
    done = fresh_name(module, "done", "is_done")
    if test is None or guard not in loop.body or not _mask_body(draft, guard, loop, done):
        return None
    indent = indent_of(module, loop)
    draft.add_lines(loop.lineno, f"{indent}{done} = {draft.name('jax.numpy.array')}(False)")
    draft.replace(guard, f"{done} = {done} | ({test})")
    return draft


def _mask_body(draft: Draft, guard: ast.If, loop: ast.For, done: str) -> bool:
    """Let every assignment of a loop that outlives its round keep the old value when done."""
    carry = LoopCarry(draft.module, loop)
    for statement in loop.body:
        if statement is not guard:
            text = _masked(draft, statement, carry, done)
            if text is None:
                return False
            draft.replace(statement, text)
    return True


def _masked(draft: Draft, statement: ast.stmt, carry: LoopCarry, done: str) -> str | None:
    """Write an assignment that keeps the old value when done; as it is if nothing hangs on it."""
    module, where = draft.module, draft.name("jax.numpy.where")
    known = carry.before()
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            text = module.text(value)
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            sign = module.text(statement)[len(name) :].split("=", 1)[0].strip()
            text = f"{name} {sign} ({module.text(value)})"
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            names = [t.id for t in targets if isinstance(t, ast.Name)]
            if len(names) < len(targets) or not set(names) <= known:
                return None
            listed, new = ", ".join(names), module.text(value)
            new = f"({new})" if isinstance(value, ast.Tuple) and new[:1] != "(" else new
            pairs = f"zip(({listed}), {new}, strict=True)"
            return f"{listed} = ({where}({done}, old, new) for old, new in {pairs})"
        case _:
            return None
    if name in known and carry.is_needed(name):
        return f"{name} = {where}({done}, {name}, {text})"
    return module.text(statement)


def carry_return(module: Module, guard: ast.If, loop: ast.For) -> Draft | None:
    """Write `if c: return v` in a loop as a result that the first round found keeps."""
    after = _return_after(module, loop)
    found = guard.body[0] if len(guard.body) == 1 else None
    if not isinstance(found, ast.Return) or found.value is None or after is None:
        return None
    if guard.orelse or loop.orelse or guard not in loop.body or isinstance(found.value, ast.Tuple):
        return None
    draft = Draft(module)
    test = truth(draft, guard.test)
    if test is None or after.value is None:
        return None
    done, result = fresh_name(module, "done", "is_done"), fresh_name(module, "found", "result")
    where, indent = draft.name("jax.numpy.where"), indent_of(module, loop)
    inner = indent_of(module, guard)
    now = fresh_name(module, "now", "stops_here")
    draft.add_lines(
        loop.lineno,
        f"{indent}{done} = {draft.name('jax.numpy.array')}(False)\n{indent}{result} = 0",
    )
    value = module.text(found.value)
    draft.replace(
        guard,
        f"{now} = {test}\n"
        f"{inner}{result} = {where}({now} & ~{done}, {value}, {result})\n"
        f"{inner}{done} = {done} | {now}",
    )
    return draft.replace(after.value, f"{where}({done}, {result}, {module.text(after.value)})")


def _return_after(module: Module, loop: ast.For) -> ast.Return | None:
    body = getattr(module.parents.get(loop), "body", [])
    rest = body[body.index(loop) + 1 :] if loop in body else []
    found = rest[0] if len(rest) == 1 else None
    return found if isinstance(found, ast.Return) else None
