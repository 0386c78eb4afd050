# expects: outer-value-read at 10
import jax
import jax.numpy as jnp

train = jnp.array([[1.0, 2.0], [3.0, 1.0]])
test = jnp.array([[2.0, 2.0], [0.0, 1.0]])


def mean_height(weights, rows):
    return jnp.mean(jax.nn.relu(train @ weights))


weights = jnp.array([0.5, -0.5])
print(mean_height(weights, train))
print(mean_height(weights, test))
