"""What save-and-restore asks for."""

import shutil
import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def make(seed, shape=(3, 2)):
    """Make a state with leaves and containers of many kinds."""
    rng = np.random.default_rng(seed)
    params = {
        "w": jnp.asarray(rng.normal(size=shape), jnp.bfloat16),
        "layers": [(jnp.asarray(rng.normal(size=4), jnp.float32),), {}],
    }
    return {
        "params": params,
        "opt": optax.adam(0.1).init(params),
        "key": jax.random.key(seed),
        "count": jnp.int32(seed),
        "seen": jnp.array([True, False]),
    }


def numbers(tree):
    """List the leaves as arrays of numbers, keys by their data."""
    return [
        jax.random.key_data(leaf) if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf
        for leaf in map(jnp.asarray, jax.tree.leaves(tree))
    ]


class Incomplete(Exception):
    """Raised where `save` returns before its checkpoint is complete."""


def files(folder):
    """List the files that are there at a moment."""
    try:
        return sorted(str(path) for path in folder.rglob("*"))
    except OSError as error:  # one is renamed or deleted meanwhile
        raise Incomplete from error


def roundtrip(make_pair, seed, steps, patience=0.0):
    """Save a state at each step, and restore from a copy of the folder, with other functions.

    A folder that changes within so many seconds after the last save was not complete.
    """
    # What is still being written when the folder goes must not hide why.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        folder, copy = Path(home, "run"), Path(home, "copy")
        folder.mkdir()
        save, _ = make_pair(folder)
        for step in steps:
            save(step, make(seed + step))
        written = files(folder)
        time.sleep(patience)
        if files(folder) != written:
            raise Incomplete
        shutil.copytree(folder, copy)
        found = make_pair(copy)[1](make(10_000))
        if found is None:
            return None
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        return found[0], found[1], size


def subject(module):
    """Return the step and the numbers that come back."""

    def call(seed, steps):
        try:
            found = roundtrip(module.save_and_restore, seed, steps, 0.5 * (len(steps) == 1))
        except Incomplete:
            return {"step": "save returned before its checkpoint was complete"}
        if found is None:
            return {"step": None}
        step, state, _ = found
        return {"step": step, "state": numbers(state)}

    call.make = module.save_and_restore
    return call


EXAMPLES = [
    Call(1, [3]),
    Call(1, []).gives({"step": None}).when("an empty folder"),
]


def hidden(rng):
    """Yield several steps."""
    yield Call(2, [1, 2, 3])
    yield Call(5, [9, 10, 100]).when("a step with more digits")


def types(call):
    """Return what came back with another type."""
    state = make(4)
    _, back, _ = roundtrip(call.make, 4, [0])
    if jax.tree.structure(back) != jax.tree.structure(state):
        return "the containers that came back are of other types than those saved"
    for one, other in zip(jax.tree.leaves(state), jax.tree.leaves(back), strict=True):
        if not isinstance(other, jax.Array):
            return f"a leaf came back as {type(other).__name__}, not as an array of JAX"
        if one.dtype != other.dtype:
            return f"a leaf of dtype {one.dtype} came back as {other.dtype}"
    return None


def space(call):
    """Return whether more is kept than two checkpoints."""
    one = roundtrip(call.make, 1, [1])[2]
    many = roundtrip(call.make, 1, [1, 2, 3, 4, 5, 6])[2]
    if many < 2.6 * one:
        return None
    return f"after six steps the folder takes {many / one:.1f} times as much as after one"


def before_the_last(call):
    """Return whether the checkpoint before the newest is gone."""
    two, one = (roundtrip(call.make, 1, steps)[2] for steps in ([1, 2, 3], [1]))
    return None if two > 1.5 * one else "only the newest checkpoint is kept, not two"


PROPERTIES = [
    Custom("types", "Dtypes, keys and containers come back as they were.", types),
    Custom("space", "Old checkpoints are deleted.", space),
    Custom("two-kept", "The two newest checkpoints are kept.", before_the_last),
]
