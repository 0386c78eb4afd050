# expects: library-argument-missing at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
jax.random.randint(jax.random.key(0), 0, 10)
