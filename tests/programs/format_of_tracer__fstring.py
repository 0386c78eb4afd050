# expects: format-of-tracer at 9
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    loss = (w**2).sum()
    print(f"loss {loss:.4f}")
    return loss


step(jnp.ones(2))
