# expects: value-never-read at 8
import jax
import jax.numpy as jnp


def loss(forward, weights, x, y):
    weights = jax.tree.map(jnp.tanh, weights)
    predicted = forward(weights, x)
    return jnp.mean((y - y.mean()) ** 2) + jnp.sum(weights["slope"] ** 2)


weights = {"slope": jnp.array([0.5, -0.5])}
x = jnp.eye(2)
print(loss(lambda w, x: x @ w["slope"], weights, x, jnp.array([1.0, 3.0])))
