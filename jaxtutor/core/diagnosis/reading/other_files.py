"""Finds the learner's own functions that a call names, in this file or an imported one."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of


def function_called(
    modules: Mapping[str, Module], module: Module, func: ast.expr
) -> tuple[Module, Definition] | None:
    """Find the function of the learner that a callee names, and its file: `step` of `loops.step`.

    None where no file, or more than one, has it.
    """
    path = path_of(func) or ""
    first, _, rest = path.partition(".")
    imported = _imports(module).get(first)
    if imported is None:
        is_own = not rest or first == "self"
        return _with_home(module, module.function_named(rest or first)) if is_own else None
    package, _, name = f"{imported}.{rest}".rstrip(".").rpartition(".")
    others = (m for m in modules.values() if m is not module and _is_in(m, package))
    found = [(m, f) for m in others if (f := m.function_named(name)) in m.tree.body]
    return _with_home(*found[0]) if len(found) == 1 else None


def _with_home(module: Module, function: Definition | None) -> tuple[Module, Definition] | None:
    return (module, function) if function is not None else None


def _imports(module: Module) -> dict[str, str]:
    """Map each imported name to its dotted path; the path of a near file begins with a dot."""
    return module.once(_read_imports)


def _read_imports(module: Module) -> dict[str, str]:
    near = (n for n in module.nodes if isinstance(n, ast.ImportFrom) and n.level)
    found = {a.asname or a.name: f".{n.module or ''}.{a.name}" for n in near for a in n.names}
    return {**module.imports, **found}


def _is_in(module: Module, package: str) -> bool:
    """Return whether a file may be what an import names: `loops` is `loops.py`, or in `loops/`."""
    parts = re.split(r"[\\/]", module.file.removesuffix(".py"))
    return all(part in parts for part in package.split(".") if part)
