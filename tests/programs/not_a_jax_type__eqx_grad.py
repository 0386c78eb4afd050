# expects: not-a-jax-type at 14
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def loss(net, xs):
    return jax.vmap(net)(xs).sum()


@eqx.filter_jit
def step(net, xs):
    return jax.grad(loss)(net, xs)


net = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
print(step(net, jnp.ones((3, 2))))
