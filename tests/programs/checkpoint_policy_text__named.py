# expects: checkpoint-policy-text at 9
import jax
import jax.numpy as jnp


def deep(x, keep):
    """Return a block twice."""
    block = lambda x: jnp.sin(jnp.tanh(x))
    lean = jax.checkpoint(block, policy="dots_saveable" if keep else None)
    return lean(lean(x))


print(jax.grad(deep)(1.0, True))
