# expects: check gradient
# says: Your rule returns `x` in the place of the value. `jax.value_and_grad` and `jax.jvp` take
#     the value from the rule, not from the function.
"""Returns the argument beside the slope."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.logaddexp(x, 0.0).astype(x.dtype)


@log1pexp.defjvp
def log1pexp_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return x, jax.nn.sigmoid(x) * dx
