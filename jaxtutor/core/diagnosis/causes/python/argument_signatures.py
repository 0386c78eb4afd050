"""Lists functions whose arguments are often passed in another order, and what each one takes."""

from __future__ import annotations

from msgspec import Struct

_ALL = frozenset(
    """function array key text texts none dict list tuple bool int number sizes treedef mesh
    sharding spec struct path""".split()
)


class TypedParameter(Struct, frozen=True):
    """A parameter: its name, the kinds of values that it takes, and whether it has no default."""

    name: str
    kinds: frozenset[str]
    is_required: bool = True

    def takes(self, kind: str) -> bool:
        """Return whether a value of a kind can be meant for this parameter."""
        return kind in self.kinds or (not kind and len(self.kinds) > _FEW)

    def may_take(self, kind: str) -> bool:
        """Return whether it is possible that a value of a kind, if known, is meant."""
        return not kind or kind in self.kinds


_FEW = 5
"""A value of unknown kind is only moved to a parameter that takes almost anything."""

_KINDS = {
    "function": frozenset({"function"}),
    "functions": frozenset({"list", "tuple"}),
    "data": _ALL - {"function", "text", "texts", "none", "spec", "sharding", "mesh", "treedef"},
    "array": frozenset({"array", "number", "int", "bool", "list", "dict"}),
    "tree": _ALL - {"function", "treedef"},
    "leaves": frozenset({"list", "tuple"}),
    "shape": frozenset({"sizes", "tuple"}),
    "size": frozenset({"sizes", "tuple", "int"}),
    "number": frozenset({"number", "int", "array"}),
    "integer": frozenset({"int"}),
    "probabilities": frozenset({"array", "list"}),
    "filling": frozenset({"number", "int", "array", "bool"}),
    "flag": frozenset({"bool"}),
    "predicate": frozenset({"bool", "array"}),
    "placement": frozenset({"sharding", "spec"}),
    "axis": frozenset({"text", "texts"}),
    "structs": frozenset({"struct"}),
    "file": frozenset({"path", "text"}),
    "model": _ALL - {"path", "text"},
    "dtype": frozenset({"dtype"}),
}


def _signature(text: str) -> tuple[TypedParameter, ...]:
    """Read a signature: `key:key shape:shape dtype?:dtype`, a question mark for a default."""
    found = []
    for part in text.split():
        name, _, kind = part.partition(":")
        kinds = _KINDS.get(kind, frozenset({kind}))
        found.append(TypedParameter(name.rstrip("?"), kinds, not name.endswith("?")))
    return tuple(found)


_WRITTEN = {
    "jax.tree.unflatten": "treedef:treedef leaves:leaves",
    "jax.tree_util.tree_unflatten": "treedef:treedef leaves:leaves",
    "jax.tree.map": "f:function tree:tree rest?:tree",
    "jax.tree_util.tree_map": "f:function tree:tree rest?:tree",
    "jax.numpy.full": "shape:size fill_value:filling",
    "jax.numpy.reshape": "a:array shape:size",
    "jax.random.categorical": "key:key logits:array axis?:integer shape?:shape",
    "jax.random.uniform": "key:key shape?:shape dtype?:dtype minval?:number maxval?:number",
    "jax.random.randint": "key:key shape:shape minval:number maxval:number",
    "jax.random.choice": "key:key a:number shape?:shape replace?:flag p?:probabilities",
    "jax.sharding.NamedSharding": "mesh:mesh spec:spec",
    "jax.make_mesh": "axis_shapes:shape axis_names:axis",
    "jax.device_put": "x:data device:placement",
    "jax.lax.with_sharding_constraint": "x:data shardings:placement",
    "jax.lax.psum": "x:array axis_name:axis",
    "jax.lax.pmean": "x:array axis_name:axis",
    "jax.lax.pmax": "x:array axis_name:axis",
    "jax.lax.all_gather": "x:array axis_name:axis",
    "jax.pure_callback": "callback:function result_shape_dtypes:structs arg?:data",
    "jax.experimental.io_callback": "callback:function result_shape_dtypes:structs arg?:data",
    "jax.experimental.pallas.BlockSpec": "block_shape:shape index_map:function",
    "equinox.tree_serialise_leaves": "path_or_file:file pytree:model",
    "equinox.tree_deserialise_leaves": "path_or_file:file like:model",
    "equinox.tree_at": "where:function pytree:tree replace?:data",
}
_LOOPS = {
    "jax.lax.scan": "f:function init:data xs?:data",
    "jax.lax.map": "f:function xs:data",
    "jax.lax.fori_loop": "lower:number upper:number body_fun:function init_val:data",
    "jax.lax.while_loop": "cond_fun:function body_fun:function init_val:data",
    "jax.lax.cond": "pred:predicate true_fun:function false_fun:function operand?:data",
}
SIGNATURES = {path: _signature(text) for path, text in _WRITTEN.items()}
LOOPS = {path: _signature(text) for path, text in _LOOPS.items()}

DEFERRED = {
    "jax.experimental.pallas.BlockSpec": "not iterable",
    "equinox.tree_serialise_leaves": "No such file",
}
"""Calls that raise nothing themselves, and what the message of the later failure contains."""
