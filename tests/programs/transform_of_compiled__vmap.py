# expects: transform-of-compiled at 6
import jax
import jax.numpy as jnp

c = jax.jit(lambda x: 2 * x).lower(jnp.ones(3)).compile()
print(jax.vmap(c)(jnp.ones((4, 3))))
