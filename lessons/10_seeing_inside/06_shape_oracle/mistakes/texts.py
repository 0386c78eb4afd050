# expects: check values
# says: Your leaves are strings. They should be objects of the class `jax.ShapeDtypeStruct`, in
#     the tree that `f` returns.
"""Returns texts that look like descriptions."""

import jax


def output_spec(f, *specs):
    out = jax.eval_shape(f, *specs)
    return jax.tree.map(lambda o: f"{o.dtype}[{','.join(map(str, o.shape))}]", out)
