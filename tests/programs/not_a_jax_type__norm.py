# expects: not-a-jax-type at 11
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def loss(model, x, y):
    error = jnp.mean((jax.vmap(model)(x)[:, 0] - y) ** 2)
    return error + 1e-3 * optax.global_norm(model)


model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
grads = eqx.filter_grad(loss)(model, jnp.ones((4, 2)), jnp.zeros(4))
print(grads.layers[0].bias)
