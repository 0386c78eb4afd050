"""What restore-elsewhere asks for."""

import contextlib
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

SPECS = {"x": P("x"), "columns": P(None, "x"), "none": P(), "both": P("y", "x"), "y": P("y")}


def four(names):
    """Return a mesh of the last four devices."""
    devices = np.array(jax.devices()[4:8])
    return Mesh(devices.reshape(2, 2) if len(names) == 2 else devices, names)


def save(path, tree, how):
    """Save a tree from eight devices, by rows or replicated, or from one."""
    if how != "one":
        spec = P("old") if how == "rows" else P()
        tree = jax.device_put(tree, NamedSharding(Mesh(np.array(jax.devices()), ("old",)), spec))
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(path, tree)


def restored(function, how, names, specs, seed=0):
    """Save a tree that fits the specs, and restore it on four devices."""
    rng = np.random.default_rng(seed)
    tree = {
        name: jnp.asarray(rng.normal(size=(8, 4)), jnp.bfloat16 if name == "none" else jnp.float32)
        for name in specs
    }
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), tree)
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "tree")
        save(path, tree, how)
        answer = function(path, shapes, {name: SPECS[name] for name in specs}, four(names))
        return jax.block_until_ready(answer)


def subject(module):
    """Restore a tree, and return its numbers on the host."""

    def call(how, names, specs):
        back = restored(module.restore_elsewhere, how, tuple(names), specs)
        return jax.tree.map(lambda leaf: np.asarray(leaf), back)

    call.function = module.restore_elsewhere
    return call


EXAMPLES = [
    Call("rows", ["x"], ["x"]),
    Call("rows", ["x"], ["columns"]),
]


def hidden(rng):
    """Yield other meshes, other specs, and another way to save."""
    yield Call("one", ["x"], ["x", "columns", "none"])
    yield Call("replicated", ["y", "x"], ["both", "y", "none"]).when("a mesh with two names")


CASES = [
    ("rows", ("x",), ["x", "columns", "none"]),
    ("one", ("y", "x"), ["both", "y", "x"]),
]


def sharding(call):
    """Return which leaf is sharded otherwise."""
    for how, names, specs in CASES:
        for name, leaf in restored(call.function, how, names, specs).items():
            wanted = NamedSharding(four(names), SPECS[name])
            if not isinstance(leaf, jax.Array):
                return f"a leaf is a {type(leaf).__name__}, not an array of JAX"
            if not leaf.sharding.is_equivalent_to(wanted, leaf.ndim):
                return f"with {SPECS[name]} on {names}, a leaf has the sharding {leaf.sharding}"
    return None


def committed(call):
    """Return whether an answer is on the mesh that was passed."""
    back = restored(call.function, "rows", ("x",), ["x"])["x"]
    mesh = getattr(back.sharding, "mesh", None)
    if mesh is not None and mesh.axis_names == ("x",):
        return None
    return "the sharding does not belong to the mesh that was passed"


@contextlib.contextmanager
def moves():
    """List the whole tables that are moved to other devices."""
    seen, put = [], jax.device_put

    def watched(x, *args, **kwargs):
        held = [leaf for leaf in jax.tree.leaves(x) if isinstance(leaf, jax.Array | np.ndarray)]
        seen.extend(leaf for leaf in held if leaf.shape == (8, 4))
        return put(x, *args, **kwargs)

    jax.device_put = watched
    try:
        yield seen
    finally:
        jax.device_put = put


def in_parts(call):
    """Return whether a table is whole somewhere before it is cut."""

    def watched(*args):
        with moves() as seen:
            answer = call.function(*args)
        found.extend(seen)
        return answer

    found = []
    restored(watched, "rows", ("x",), ["x", "columns"])
    if found:
        return "a table of 8 rows and 4 columns was restored whole, and cut by `jax.device_put`"
    return None


PROPERTIES = [
    Custom("sharding", "Each leaf is sharded on the mesh as its spec says.", sharding),
    Custom("mesh", "The sharding is a `NamedSharding` of the mesh that was passed.", committed),
    Custom("in-parts", "Each device reads its own part.", in_parts),
]
