# expects: parameter-never-changes at 23
import jax
import jax.numpy as jnp


def predict(params, x):
    hidden = jax.nn.relu(x @ params["first"]["w"] + params["first"]["b"])
    return hidden @ params["second"]["w"]


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2) + 0.001 * jnp.sum(params["second"]["w"] ** 2)


keys = jax.random.split(jax.random.key(0), 3)
x = jnp.abs(jax.random.normal(keys[0], (16, 3)))
y = jnp.sum(x, axis=1, keepdims=True)
params = {
    "first": {"w": -jnp.abs(jax.random.normal(keys[1], (3, 4))), "b": jnp.zeros(4)},
    "second": {"w": jax.random.normal(keys[2], (4, 1))},
}
for _ in range(12):
    grads = jax.grad(loss)(params, x, y)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
print(params["first"]["b"])
