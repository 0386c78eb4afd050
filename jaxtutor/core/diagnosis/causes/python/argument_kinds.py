"""Says what the argument of a call certainly is: a function, a shape, an array, a key, …"""

from __future__ import annotations

import ast

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.library_calls import known_fact
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import is_number

UNKNOWN = ""

_BY_KIND = {
    "function": "function",
    "array": "array",
    "tracer": "array",
    "ndarray": "array",
    "typed_key": "key",
    "str": "text",
    "none": "none",
    "dict": "dict",
    "list": "list",
    "tuple": "tuple",
    "bool": "bool",
}
_BY_CLASS = {
    "PyTreeDef": "treedef",
    "Mesh": "mesh",
    "AbstractMesh": "mesh",
    "NamedSharding": "sharding",
    "SingleDeviceSharding": "sharding",
    "PartitionSpec": "spec",
    "ShapeDtypeStruct": "struct",
    "PosixPath": "path",
    "WindowsPath": "path",
}
_MADE_BY = {
    "jax.P": "spec",
    "jax.sharding.PartitionSpec": "spec",
    "jax.sharding.NamedSharding": "sharding",
    "jax.sharding.Mesh": "mesh",
    "jax.make_mesh": "mesh",
    "jax.tree.structure": "treedef",
    "jax.tree_util.tree_structure": "treedef",
    "jax.tree.leaves": "list",
    "jax.tree_util.tree_leaves": "list",
    "pathlib.Path": "path",
    "functools.partial": "function",
}


def kind_of(context: FailureContext, frame: FrameContext, node: ast.expr) -> str:
    """Return the kind of an argument of the call that failed; empty where it is not certain."""
    written = written_kind(frame.module, node)
    if written:
        return written
    fact = known_fact(context, frame, node)
    known = _kind_of_fact(fact) if fact is not None else UNKNOWN
    made = bound_value(frame.module, node)
    is_precise = known not in ("list", "tuple", UNKNOWN) or made is node
    return known if is_precise else written_kind(frame.module, made) or known


def _kind_of_fact(fact: NameFact) -> str:
    if fact.kind == "number":
        return "bool" if fact.detail == "bool" else "int" if fact.detail == "int" else "number"
    if fact.detail in ("uint32[2]", "key<fry>[]"):
        return "key"
    if fact.kind == "other":
        return _BY_CLASS.get(last_part(fact.detail), UNKNOWN)
    return _BY_KIND.get(fact.kind, UNKNOWN)


def written_kind(module: Module, node: ast.expr) -> str:
    """Return the kind that the syntax alone shows."""
    match node:
        case ast.Lambda():
            return "function"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Tuple() | ast.List():
            return _kind_of_items(module, node)
        case ast.JoinedStr() | ast.Constant(value=str()):
            return "text"
        case ast.Constant(value=bool()):
            return "bool"
        case ast.Constant(value=int()):
            return "int"
        case ast.Constant(value=None):
            return "none"
        case ast.Attribute(attr="shape"):
            return "sizes"
        case ast.Call():
            return _MADE_BY.get(module.dotted(node.func) or "", UNKNOWN)
    return "number" if is_number(node) else UNKNOWN


def _kind_of_items(module: Module, node: ast.Tuple | ast.List) -> str:
    kinds = {written_kind(module, item) for item in node.elts}
    if kinds == {"text"}:
        return "texts"
    if "int" in kinds and kinds <= {"int", UNKNOWN}:
        return "sizes"
    return "tuple" if isinstance(node, ast.Tuple) else "list"
