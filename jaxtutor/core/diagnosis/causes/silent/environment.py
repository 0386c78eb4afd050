"""Finds settings of JAX that a program writes to the environment after it imported jax."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module

_SWITCHES = frozenset(
    """JAX_ENABLE_X64 JAX_DEBUG_NANS JAX_DEBUG_INFS JAX_DISABLE_JIT JAX_CHECK_TRACER_LEAKS
    JAX_LOG_COMPILES JAX_EXPLAIN_CACHE_MISSES JAX_THREEFRY_PARTITIONABLE""".split()
)
"""Variables that are read when jax is imported, and are true or false."""
_TEXTS = frozenset(
    """JAX_PLATFORMS JAX_PLATFORM_NAME JAX_DEFAULT_MATMUL_PRECISION JAX_DEFAULT_PRNG_IMPL
    JAX_NUMPY_RANK_PROMOTION JAX_NUMPY_DTYPE_PROMOTION JAX_TRACEBACK_FILTERING
    JAX_TRANSFER_GUARD JAX_COMPILATION_CACHE_DIR""".split()
)
_IMPORTING_JAX = frozenset(
    "jax flax optax equinox haiku numpyro diffrax orbax chex distrax optimistix lineax".split()
)
_OTHER_PROCESSES = ("subprocess", "multiprocessing", "ray", "pytest")


class LateSetting(Finding, frozen=True, kw_only=True):
    """A statement that writes a variable of the environment too late."""

    variable: str
    value: ast.expr


def read_environment(module: Module) -> Iterator[LateSetting]:
    """Yield each setting of jax that comes after the import which would have read it."""
    homes = {path.partition(".")[0] for path in module.imports.values()}
    if homes & set(_OTHER_PROCESSES):
        return
    first = min((s.lineno for s in module.tree.body if _imports_jax(s)), default=None)
    for statement in module.tree.body if first is not None else ():
        written = _environment_setting(module, statement)
        if written is not None and first is not None and statement.lineno > first:
            name, value = written
            facts = {"name": name, "argument": name.lower()}
            yield LateSetting(
                module=module, node=statement, facts=facts, variable=name, value=value
            )


def _imports_jax(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import(names=names):
            return any(a.name.partition(".")[0] in _IMPORTING_JAX for a in names)
        case ast.ImportFrom(module=str(name), level=0):
            return name.partition(".")[0] in _IMPORTING_JAX
    return False


def _environment_setting(module: Module, statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """Return the variable of jax that a statement writes, and its value."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=owner, slice=ast.Constant(value=str(name)))], value=value
        ):
            is_environment = module.dotted(owner) == "os.environ"
        case ast.Expr(
            value=ast.Call(func=func, args=[ast.Constant(value=str(name)), value], keywords=[])
        ):
            is_environment = module.dotted(func) in ("os.environ.setdefault", "os.putenv")
        case ast.Expr(
            value=ast.Call(
                func=func,
                args=[ast.Dict(keys=[ast.Constant(value=str(name))], values=[value])],
                keywords=[],
            )
        ):
            is_environment = module.dotted(func) == "os.environ.update"
        case _:
            return None
    return (name, value) if is_environment and name in _SWITCHES | _TEXTS else None


def set_option(found: LateSetting) -> Drafts:
    """Set the option in place of the variable."""
    module, name, value = found.module, found.variable, found.value
    text = module.text(value)
    if name in _SWITCHES:
        given = getattr(value, "value", None)
        if not isinstance(given, str):
            return
        text = str(given.lower() in ("1", "true", "yes", "on", "t", "y"))
    draft = Draft(module)
    update = draft.name("jax.config")
    yield draft.replace(found.node, f'{update}.update("{name.lower()}", {text})').certain()


RULES = (Rule("environment-set-after-import", read(read_environment), set_option),)
