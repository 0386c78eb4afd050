# expects: step-with-wrong-sign at 17
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.adam(1e-2)


def divergence(mean, logvar):
    return -0.5 * jnp.sum(1 + logvar - jnp.square(mean) - jnp.exp(logvar), axis=-1)


def loss(params, x, key):
    mean, logvar = x @ params["mean"], x @ params["logvar"]
    z = mean + jnp.exp(logvar / 2) * jax.random.normal(key, mean.shape)
    return jnp.mean(jnp.sum((z @ params["back"] - x) ** 2, -1) - divergence(mean, logvar))


params = {"mean": jnp.ones((3, 2)), "logvar": jnp.zeros((3, 2)), "back": jnp.ones((2, 3))}
value, grads = jax.value_and_grad(loss)(params, jnp.ones((4, 3)), jax.random.key(0))
updates, state = tx.update(grads, tx.init(params))
print(value, optax.apply_updates(params, updates)["mean"].shape)
