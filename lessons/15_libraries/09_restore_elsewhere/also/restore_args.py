"""Gives the shardings to the leaves one by one."""

import jax
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    leaves, structure = jax.tree.flatten(shapes)
    places = [jax.sharding.NamedSharding(mesh, spec) for spec in jax.tree.leaves(specs)]
    described = [
        jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=place)
        for leaf, place in zip(leaves, places, strict=True)
    ]
    checkpointer = ocp.StandardCheckpointer()
    return checkpointer.restore(path, target=structure.unflatten(described))
