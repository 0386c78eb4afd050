# expects: result-not-finite at 9
import jax
import jax.numpy as jnp


@jax.jit
def log_evidence(heads, flips):
    chances = jnp.where(flips, heads, 1.0 - heads)
    together = jnp.prod(chances)
    return jnp.log(together)


flips = jax.random.bernoulli(jax.random.key(4), 0.3, (400,))
for heads in (0.2, 0.3, 0.4):
    print(heads, log_evidence(heads, flips))
