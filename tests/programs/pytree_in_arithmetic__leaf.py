# expects: pytree-in-arithmetic at 11
import jax
import jax.numpy as jnp


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def mean_gradient(params, batches):
    total = 0
    for x, y in batches:
        grads = jax.grad(loss)(params, x, y)
        total = jax.tree.map(lambda a, g: a + g, total, grads)
    return jax.tree.map(lambda g: g / len(batches), total)


def mean_of_models(models):
    return jax.tree.map(lambda *leaves: sum(leaves) / len(leaves), *models)


params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
batches = [(jnp.ones((4, 3)), jnp.ones(4)), (jnp.zeros((4, 3)), jnp.ones(4))]
print(mean_gradient(params, batches)["b"], mean_of_models([params, params])["b"])
