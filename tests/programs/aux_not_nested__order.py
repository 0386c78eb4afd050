# expects: aux-not-nested at 6
import jax
import jax.numpy as jnp

x = jnp.arange(3.0)
val, grads, aux = jax.value_and_grad(lambda w: (w.sum(), w), has_aux=True)(x)
