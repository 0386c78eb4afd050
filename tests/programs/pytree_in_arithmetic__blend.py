# expects: pytree-in-arithmetic at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Dense(4)
x = jnp.ones((2, 3))
a = model.init(jax.random.key(0), x)
b = model.init(jax.random.key(1), x)
alpha = 0.9
a = a * alpha + (1 - alpha) * b
print(model.apply(a, x))
