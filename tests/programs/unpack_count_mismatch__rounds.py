# expects: unpack-count-mismatch at 9
import jax
import jax.numpy as jnp

inputs, labels = jnp.ones((3, 4, 2)), jnp.ones((3, 4))
weights = jnp.zeros(2)


for step, x, y in enumerate(zip(inputs, labels)):
    grads = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
    weights = weights - 0.1 * grads
    print(step, weights)
