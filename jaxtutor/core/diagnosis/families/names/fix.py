"""Owns the mending of names: misspelt, moved, never imported, and arguments forgotten."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft, top_imports
from jaxtutor.core.diagnosis.families.names.jax_names import NAMES
from jaxtutor.core.diagnosis.reading import parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, bound_names
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find

_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_NAME = re.compile(r"name '(\w+)' is not defined")
_PART = re.compile(r"module '(jax[\w.]*)' has no attribute '(\w+)'")
_MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")

# ---------------------------------------------------------------- names that are gone

_PATHS = """
jax.tree_map jax.tree.map
jax.tree_multimap jax.tree.map
jax.tree_leaves jax.tree.leaves
jax.tree_flatten jax.tree.flatten
jax.tree_unflatten jax.tree.unflatten
jax.tree_structure jax.tree.structure
jax.tree_transpose jax.tree.transpose
jax.tree_reduce jax.tree.reduce
jax.tree_all jax.tree.all
jax.tree_util.tree_multimap jax.tree.map
jax.config.config jax.config
jax.DeviceArray jax.Array
jax.numpy.DeviceArray jax.Array
jax.interpreters.xla.DeviceArray jax.Array
jax.random.KeyArray jax.Array
jax.random.PRNGKeyArray jax.Array
jax.random.shuffle jax.random.permutation
jax.numpy.alltrue jax.numpy.all
jax.numpy.sometrue jax.numpy.any
jax.numpy.product jax.numpy.prod
jax.numpy.cumproduct jax.numpy.cumprod
jax.numpy.in1d jax.numpy.isin
jax.numpy.msort jax.numpy.sort
jax.numpy.row_stack jax.numpy.vstack
jax.numpy.trapz jax.numpy.trapezoid
jax.numpy.round_ jax.numpy.round
jax.numpy.bool bool
jax.numpy.int int
jax.numpy.float float
jax.numpy.complex complex
numpy.bool bool
numpy.int int
numpy.float float
numpy.complex complex
numpy.object object
numpy.str str
numpy.float_ numpy.float64
numpy.product numpy.prod
numpy.cumproduct numpy.cumprod
numpy.alltrue numpy.all
numpy.sometrue numpy.any
numpy.in1d numpy.isin
numpy.row_stack numpy.vstack
numpy.trapz numpy.trapezoid
numpy.round_ numpy.round
numpy.Inf numpy.inf
numpy.NaN numpy.nan
numpy.infty numpy.inf
jax.nn.normalize jax.nn.standardize
jax.nn.hardswish jax.nn.hard_swish
jax.host_id jax.process_index
jax.host_count jax.process_count
jax.pjit jax.jit
jax.experimental.pjit.pjit jax.jit
jax.experimental.shard_map.shard_map jax.shard_map
jax.experimental.maps.xmap jax.vmap
jax.experimental.optimizers jax.example_libraries.optimizers
jax.experimental.stax jax.example_libraries.stax
jax.experimental.enable_x64 jax.enable_x64
jax.experimental.PartitionSpec jax.sharding.PartitionSpec
jax.experimental.pjit.PartitionSpec jax.sharding.PartitionSpec
jax.sharding.use_mesh jax.set_mesh
jax.mutable_array jax.new_ref
jax.array_ref jax.new_ref
jax.core.Primitive jax.extend.core.Primitive
jax.core.Jaxpr jax.extend.core.Jaxpr
jax.core.ClosedJaxpr jax.extend.core.ClosedJaxpr
jax.core.JaxprEqn jax.extend.core.JaxprEqn
jax.core.Literal jax.extend.core.Literal
jax.core.Var jax.extend.core.Var
jax.core.jaxpr_as_fun jax.extend.core.jaxpr_as_fun
jax.linear_util jax.extend.linear_util
jax.lib.xla_bridge.get_backend jax.extend.backend.get_backend
jax.abstract_arrays.ShapedArray jax.core.ShapedArray
jax.scipy.linalg.tril jax.numpy.tril
jax.scipy.linalg.triu jax.numpy.triu
jax.ops.index_update .set
jax.ops.index_add .add
jax.ops.index_mul .multiply
jax.ops.index_min .min
jax.ops.index_max .max
"""
MOVED = dict(line.split() for line in _PATHS.strip().splitlines())


def removed(site: FixSite) -> Drafts:
    """A name that is gone becomes the one that took its place, everywhere in the file."""
    module = site.module
    if module is None:
        return
    draft = Draft(module)
    wanted = _paths_at_fault(site, module)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute | ast.Name) and module.dotted(node) in wanted:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                _move(draft, node, wanted[module.dotted(node) or ""])
        elif isinstance(node, ast.ImportFrom):
            _move_import(draft, node, wanted)
        elif isinstance(node, ast.Import):
            _move_module(draft, node, wanted)
    yield draft


def _paths_at_fault(site: FixSite, module: Module) -> dict[str, str]:
    """List the moved names that the statement at fault speaks of."""
    frame = site.frame
    statement = frame.statement if frame is not None and frame.module is module else None
    if statement is None and isinstance(site.node, ast.AST):
        statement = module.statement(site.node)
    nodes = list(ast.walk(statement)) if statement is not None else []
    paths = {module.dotted(n) for n in nodes if isinstance(n, ast.Attribute | ast.Name)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            paths |= {f"{node.module}.{item.name}" for item in node.names}
        elif isinstance(node, ast.Import):
            paths |= {item.name for item in node.names}
    return {path: MOVED[path] for path in paths if path in MOVED}


def _move(draft: Draft, node: ast.Attribute, new: str) -> None:
    if new[0] == ".":
        _move_update(draft, node, new[1:])
    else:
        draft.replace(node, new if "." not in new else draft.name(new))


def _move_update(draft: Draft, node: ast.Attribute, method: str) -> None:
    """`index_update(x, index[i], v)` becomes `x.at[i].set(v)`."""
    module, call = draft.module, draft.module.parents.get(node)
    if not isinstance(call, ast.Call) or len(call.args) != 3:
        return
    array, index, value = call.args
    is_index = isinstance(index, ast.Subscript) and module.text(index.value).endswith("index")
    inner = module.text(index.slice) if is_index and isinstance(index, ast.Subscript) else ""
    place = inner or module.text(index)
    draft.replace(call, f"{module.text(array)}.at[{place}].{method}({module.text(value)})")


def _move_import(draft: Draft, node: ast.ImportFrom, wanted: dict[str, str]) -> None:
    kept = [item for item in node.names if f"{node.module}.{item.name}" not in wanted]
    lines = []
    for item in node.names:
        new = wanted.get(f"{node.module}.{item.name}")
        if new is None or new[0] == "." or "." not in new:
            continue
        home, _, name = new.rpartition(".")
        alias = item.asname or item.name
        lines.append(f"from {home} import {name}" + (f" as {alias}" if alias != name else ""))
    if lines and not kept:
        draft.replace(node, "\n".join(lines))


def _move_module(draft: Draft, node: ast.Import, wanted: dict[str, str]) -> None:
    for item in node.names:
        new = wanted.get(item.name)
        if new is not None and item.asname is not None and len(node.names) == 1:
            draft.replace(node, f"import {new} as {item.asname}")


# ---------------------------------------------------------------- misspelt attributes


def attribute(site: FixSite) -> Drafts:
    """A misspelt attribute becomes the one meant: elsewhere by the same name, or here by a like."""
    frame = site.frame
    if frame is None:
        return
    for home, name in _unknown(site.message):
        for path in _meant(home, name):
            yield _spell(frame, home, name, path)


def _unknown(message: str) -> Iterator[tuple[str, str]]:
    if found := _ATTRIBUTE.search(message):
        yield found[1], found[2]
    elif found := _IMPORT.search(message):
        yield found[2], found[1]


def _meant(home: str, name: str) -> Iterator[str]:
    """List the paths that may be meant, the likeliest first."""
    known = NAMES.get(home, frozenset())
    near = difflib.get_close_matches(name, sorted(known), 2, 0.7)
    elsewhere = [h for h in NAMES if h != home and name in NAMES[h]]
    if elsewhere:
        yield f"{elsewhere[0]}.{name}"
    yield from (f"{home}.{n}" for n in near)
    lower = [h for h in NAMES if name.lower() in NAMES[h]]
    if lower and not elsewhere and not near:
        yield f"{lower[0]}.{name.lower()}"


def _spell(frame: FrameContext, home: str, name: str, path: str) -> Draft | None:
    module, draft = frame.module, Draft(frame.module)
    new_home, _, new = path.rpartition(".")
    count = 0
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr == name:
            if frame.dotted(node.value) == home or module.dotted(node.value) == home:
                same = f"{module.text(node.value)}.{new}"
                draft.replace(node, same if new_home == home else draft.name(path))
                count += 1
        elif isinstance(node, ast.ImportFrom) and [n.name for n in node.names] == [name]:
            alias = node.names[0].asname or name
            tail = f" as {alias}" if alias != new else ""
            if node.module == home:
                draft.replace(node, f"from {new_home} import {new}{tail}")
                count += 1
    return draft if count else None


# ---------------------------------------------------------------- misspelt and unknown names


def misspelt(site: FixSite) -> Drafts:
    """A misspelt name becomes the nearest of those in sight."""
    frame = site.frame
    found = _NAME.search(site.message)
    if frame is None or found is None:
        return
    name, module = found[1], frame.module
    for near in difflib.get_close_matches(name, sorted(_in_sight(frame) - {name}), 2, 0.6):
        draft = Draft(module)
        scope = frame.function or module.tree
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                draft.replace(node, near)
        yield draft


def _in_sight(frame: FrameContext) -> set[str]:
    """List the names that the fault could have meant."""
    module = frame.module
    scopes: list[ast.AST] = [module.tree]
    if frame.function is not None:
        scopes += [frame.function, *module.ancestors(frame.function)]
    found = set(module.imports)
    for scope in scopes:
        if isinstance(scope, ast.FunctionDef | ast.Lambda):
            found |= {a.arg for a in parameters(scope)}
        if isinstance(scope, ast.FunctionDef | ast.Module):
            found |= {n for c in ast.walk(scope) for n in bound_names(c)}
    return found | {n for n in dir(builtins) if n.islower()}


_MODULES = {
    "jnp": "import jax.numpy as jnp",
    "jax": "import jax",
    "np": "import numpy as np",
    "onp": "import numpy as onp",
    "numpy": "import numpy",
    "math": "import math",
    "functools": "import functools",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
    "lru_cache": "from functools import lru_cache",
    "lax": "from jax import lax",
    "random": "from jax import random",
    "vmap": "from jax import vmap",
    "grad": "from jax import grad",
    "jit": "from jax import jit",
    "nn": "from jax import nn",
    "tree_util": "from jax import tree_util",
    "jsp": "import jax.scipy as jsp",
    "scipy": "import scipy",
    "time": "import time",
    "os": "import os",
    "sys": "import sys",
    "re": "import re",
    "json": "import json",
    "warnings": "import warnings",
    "itertools": "import itertools",
    "operator": "import operator",
    "collections": "import collections",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "dataclasses": "import dataclasses",
    "dataclass": "from dataclasses import dataclass",
    "Callable": "from collections.abc import Callable",
    "NamedTuple": "from typing import NamedTuple",
    "P": "from jax.sharding import PartitionSpec as P",
    "Mesh": "from jax.sharding import Mesh",
    "NamedSharding": "from jax.sharding import NamedSharding",
    "checkify": "from jax.experimental import checkify",
    "optax": "import optax",
    "flax": "import flax",
    "equinox": "import equinox",
    "eqx": "import equinox as eqx",
    "einops": "import einops",
}


def missing_import(site: FixSite) -> Drafts:
    """The module is imported, or the name it already has in this file is used."""
    frame, found = site.frame, _NAME.search(site.message)
    part = _PART.search(site.message)
    if frame is not None and part is not None:
        yield Draft(frame.module).import_line(f"import {part[1]}.{part[2]}")
    if frame is None or found is None:
        return
    name, module = found[1], frame.module
    statement = _MODULES.get(name)
    if statement is None:
        return
    yield Draft(module).import_line(statement)
    home = statement.split()[1]
    other = next((a for a, path in top_imports(module).items() if path == home), None)
    if other is not None:
        draft = Draft(module)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and node.id == name:
                draft.replace(node, other)
        yield draft


def arity(site: FixSite) -> Drafts:
    """An argument that was forgotten is passed, where its name is in sight; `self` is taken."""
    frame, call = site.frame, site.at
    if frame is None or not isinstance(call, ast.Call):
        return
    found = _MISSING.search(site.message)
    if found is not None:
        names = re.findall(r"'(\w+)'", found[1])
        seen = _in_sight(frame) - set(dir(builtins))
        if names and all(name in seen for name in names):
            given = [f"{n}={n}" if call.keywords else n for n in names]
            yield add_argument(Draft(frame.module), call, ", ".join(given))
        return
    if site.context is not None and "takes 1 positional argument but 2" in site.message:
        yield _take_both(find(site.context, "scan", "fori_loop", at=call))
    if "positional argument" in site.message and isinstance(call.func, ast.Attribute):
        yield from _take_self(frame.module, call.func.attr)


def _take_both(loop: AppliedTransform | None) -> Draft | None:
    """Let the body of a loop take what it does not use: the element, or the index."""
    body = loop.function if loop is not None else None
    if loop is None or body is None or len(body.args.args) != 1:
        return None
    only = body.args.args[0]
    if loop.kind == "scan":
        return Draft(loop.module).after(only, ", _")
    return Draft(loop.module).before(only, "_, ")


def _take_self(module: Module, name: str) -> Iterator[Draft | None]:
    function = module.function_named(name)
    if function is None or not isinstance(module.parents.get(function), ast.ClassDef):
        return
    given = function.args.args
    if given and given[0].arg not in ("self", "cls"):
        yield Draft(module).before(given[0], "self, ")
    elif not given:
        header = module.header(function)
        text = module.lines[header.line - 1]
        column = text.find("(") + 1
        span = type(header)(header.line, column, header.line, column)
        yield Draft(module).replace(span, "self") if column else None


FIXERS: dict[str, Fixer] = {
    "removed-api": removed,
    "attribute-typo": attribute,
    "name-typo": misspelt,
    "missing-import": missing_import,
    "wrong-arity": arity,
}
