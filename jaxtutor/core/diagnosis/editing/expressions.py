"""Writes expressions, names and arguments as they fit into the source around them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from jaxtutor.core.data.lines import Offsets
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform

_ATOMS = (
    ast.Name,
    ast.Attribute,
    ast.Call,
    ast.Subscript,
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.ListComp,
    ast.JoinedStr,
)


def atom(module: Module, node: ast.expr) -> str:
    """Write an expression so that an operator can stand beside it."""
    text = module.text(node)
    is_atom = isinstance(node, _ATOMS) or (isinstance(node, ast.Tuple) and text[:1] == "(")
    return text if is_atom else f"({text})"


def rewrite(module: Module, node: ast.AST, parts: Mapping[ast.AST, str]) -> str:
    """Write a node with some of its inner nodes replaced."""
    if node in parts:
        return parts[node]
    whole, text = module.span(node), module.text(node)
    places = Offsets(text)

    def offset(line: int, column: int) -> int:
        first = line == whole.line
        return places.offset(line - whole.line + 1, column - (whole.column if first else 0))

    placed = sorted(
        ((module.span(part), new) for part, new in parts.items()),
        key=lambda item: (item[0].line, item[0].column),
        reverse=True,
    )
    for span, new in placed:
        begin, end = offset(span.line, span.column), offset(span.end_line, span.end_column)
        text = text[:begin] + new + text[end:]
    return text


def indent_of(module: Module, node: ast.stmt) -> str:
    """Return the white space that a statement's line begins with."""
    line = module.lines[node.lineno - 1]
    return line[: len(line) - len(line.lstrip())]


def comments_in(module: Module, first: int, last: int) -> list[str]:
    """List the comments that stand on lines of their own between two lines."""
    lines = (line.strip() for line in module.lines[first - 1 : last])
    return [line for line in lines if line.startswith("#")]


def fresh_name(module: Module, *preferred: str) -> str:
    """Choose a name that the file does not use yet."""
    used = {n.id for n in module.nodes if isinstance(n, ast.Name)}
    used |= {a.arg for a in module.nodes if isinstance(a, ast.arg)}
    used |= {f.name for f in module.nodes if isinstance(f, ast.FunctionDef)}
    used |= set(module.imports)
    for name in preferred:
        if name not in used:
            return name
    return next(f"{preferred[-1]}_{n}" for n in range(2, 100) if f"{preferred[-1]}_{n}" not in used)


def swap_nodes(module: Module, first: ast.AST, second: ast.AST) -> Draft:
    """Return a draft in which two expressions, or two parameters, change places."""
    draft = Draft(module).replace(first, module.text(second))
    return draft.replace(second, module.text(first))


def add_argument(draft: Draft, call: ast.Call, text: str) -> Draft:
    """Add an argument at the end of a call."""
    module = draft.module
    inside = [*call.args, *(k for k in call.keywords)]
    if inside:
        last = max(inside, key=lambda n: (module.span(n).end_line, module.span(n).end_column))
        return draft.after(last, f", {text}") if not _is_bare_generator(call) else draft
    span = module.span(call)
    end = type(span)(span.end_line, span.end_column - 1, span.end_line, span.end_column - 1)
    return draft.replace(end, text)


def without_keyword(module: Module, call: ast.Call, keyword: ast.keyword) -> str:
    """Write a call without one of its keyword arguments."""
    return without_arguments(module, call, (keyword,))


def without_arguments(
    module: Module, call: ast.Call, dropped: Sequence[ast.expr | ast.keyword]
) -> str:
    """Write a call without some of its arguments."""
    kept = [a for a in (*call.args, *call.keywords) if a not in dropped]
    return f"{module.text(call.func)}({', '.join(map(module.text, kept))})"


def _is_bare_generator(call: ast.Call) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp)


def tuple_text(parts: Sequence[str]) -> str:
    """Write a tuple of expressions."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def add_option(item: AppliedTransform, option: str) -> Draft:
    """Add an option to a transformation; a bare decorator becomes a partial."""
    draft = Draft(item.module)
    if item.call is not None:
        return add_argument(draft, item.call, option)
    text = item.module.text(item.node)
    return draft.replace(item.node, f"{draft.name('functools.partial')}({text}, {option})")
