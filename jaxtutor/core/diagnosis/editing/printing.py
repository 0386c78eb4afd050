"""Writes a print as jax.debug.print: a format, and the values apart."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import last_part


def is_print(module: Module, call: ast.Call) -> bool:
    """Return whether a call prints or logs its arguments."""
    written = path_of(call.func) or ""
    return (
        written == "print"
        or last_part(written)
        in (
            "info",
            "debug",
            "warning",
            "write",
        )
        or (module.dotted(call.func) or "").endswith("debug.print")
    )


def debug_print(module: Module, call: ast.Call) -> Draft | None:
    """Write a print as jax.debug.print, its values as arguments."""
    draft = Draft(module)
    text = _format_call(draft, call.args, call)
    return draft.replace(call, text) if text is not None else None


def _format_call(draft: Draft, args: list[ast.expr], call: ast.Call) -> str | None:
    if any(k.arg not in ("flush", "end", "file") for k in call.keywords):
        return None
    texts: list[str] = []
    values: list[str] = []
    for item in args:
        part = _template(draft.module, item)
        if part is None:
            return None
        texts.append(part[0])
        values.extend(part[1])
    given = "".join(f", {value}" for value in values)
    template = " ".join(texts).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'{draft.name("jax.debug.print")}("{template}"{given})'


def _template(module: Module, node: ast.expr) -> tuple[str, list[str]] | None:
    """Split what is printed into a format and its values."""
    match node:
        case ast.Constant(value=str(text)):
            return text.replace("{", "{{").replace("}", "}}"), []
        case ast.JoinedStr(values=values):
            return _joined(module, values)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            return _percent(module, text, right)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            if node.keywords:
                return None
            return text, [module.text(a) for a in node.args]
        case ast.Call(func=ast.Name(id="format"), args=[value, ast.Constant(value=str(spec))]):
            return f"{{:{spec}}}", [module.text(value)]
        case ast.Call(func=ast.Name(id="str" | "repr" | "float" | "int"), args=[value]):
            return "{}", [module.text(value)]
    return "{}", [module.text(node)]


def _joined(module: Module, values: list[ast.expr]) -> tuple[str, list[str]] | None:
    text, given = "", []
    for value in values:
        if isinstance(value, ast.Constant):
            text += str(value.value).replace("{", "{{").replace("}", "}}")
        elif isinstance(value, ast.FormattedValue):
            spec = value.format_spec
            shown = _literal(spec) if spec is not None else ""
            if shown is None:
                return None
            text += f"{{:{shown}}}" if shown else "{}"
            given.append(_f_string_text(module, value.value))
    return text, given


def _f_string_text(module: Module, node: ast.expr) -> str:
    """Write an expression of an f-string; Python 3.11 does not know its place exactly."""
    text = module.text(node)
    try:
        same = ast.dump(ast.parse(text, mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        same = False
    return text if same else ast.unparse(node)


def _literal(spec: ast.expr) -> str | None:
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def _percent(module: Module, text: str, right: ast.expr) -> tuple[str, list[str]] | None:
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    found = re.findall(r"%(?:%|[-+ 0]?\d*(?:\.\d+)?[a-zA-Z])", text)
    fields = [f for f in found if f != "%%"]
    if len(fields) != len(values):
        return None
    text = text.replace("{", "{{").replace("}", "}}")
    for field in fields:
        kind = field[-1]
        spec = "" if kind in "srd" and len(field) == 2 else ":" + field[1:].replace("i", "d")
        text = text.replace(field, "{" + spec + "}", 1)
    return text.replace("%%", "%"), [module.text(v) for v in values]
