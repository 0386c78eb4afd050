# expects: pairs-shuffled-apart at 9
import jax
import jax.numpy as jnp

a, b = jax.random.split(jax.random.key(0))
inputs = jnp.arange(10.0)
targets = inputs**2
order_in = jax.random.permutation(a, len(inputs))
order_out = jax.random.permutation(b, len(targets))
inputs = inputs[order_in]
targets = targets[order_out]
print(inputs[0], targets[0])
