# expects: list-argument at 11
"""The shapes of two arguments are lowered as one."""

import jax
import jax.numpy as jnp

row = jax.ShapeDtypeStruct((3,), jnp.float32)
specs = [(row,), (jax.ShapeDtypeStruct((8,), jnp.float32),)]


programs = [jax.jit(jnp.cumsum).lower(spec).compile() for spec in specs]
assert programs[0](jnp.ones(3)).tolist() == [1.0, 2.0, 3.0]
