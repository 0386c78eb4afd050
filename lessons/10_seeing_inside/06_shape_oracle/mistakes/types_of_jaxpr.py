# expects: check values
# says: Your leaves have the right shapes and dtypes, and the wrong class: each should be a
#     `jax.ShapeDtypeStruct`.
"""Returns the types of a jaxpr, which are of another class."""

import jax


def output_spec(f, *specs):
    closed, shapes = jax.make_jaxpr(f, return_shape=True)(*specs)
    return jax.tree.unflatten(jax.tree.structure(shapes), closed.out_avals)
