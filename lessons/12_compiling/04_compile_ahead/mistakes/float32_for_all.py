# expects: check values
# says: Your program is for other dtypes than `spec` says. A `ShapeDtypeStruct` has a dtype too,
#     and can be used as it is.
"""Makes arrays without a dtype."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    zeros = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape), spec)
    compiled = jax.jit(f).lower(*zeros).compile()
    return compiled, compiled.cost_analysis().get("flops", 0.0)
