# expects: check values
# says: All leaves come back as `float32`. The dtype of each is in `shapes`.
"""Describes every leaf as float32."""

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    def describe(shape, spec):
        there = jax.sharding.NamedSharding(mesh, spec)
        return jax.ShapeDtypeStruct(shape.shape, jnp.float32, sharding=there)

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(describe, shapes, specs))
