# expects: addition-lost at 8
import jax
import jax.numpy as jnp

count = jax.jit(lambda x: (x > 0).sum().astype(jnp.bfloat16))
total = jnp.zeros((), jnp.bfloat16)
for n in range(400):
    total = total + count(jnp.array([1.0, n]))
print(total)
