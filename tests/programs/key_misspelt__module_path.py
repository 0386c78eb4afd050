# expects: key-misspelt at 21
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class Critic(hk.Module):
    def __call__(self, x):
        x = jax.nn.relu(hk.Linear(8, name="hidden")(x))
        return hk.Linear(1, name="value")(x)


net = hk.without_apply_rng(hk.transform(lambda x: Critic()(x)))
x = jnp.ones((2, 3))
params = net.init(jax.random.key(0), x)


def loss(params):
    error = jnp.mean(net.apply(params, x) ** 2)
    return error + 0.1 * jnp.sum(params["value"]["w"] ** 2)


print(len(jax.grad(loss)(params)))
