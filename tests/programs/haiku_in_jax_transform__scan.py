# expects: haiku-in-jax-transform at 15
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def recurrent(xs):
    core = hk.Linear(4)

    def step(h, x):
        h = jnp.tanh(core(jnp.concatenate([h, x])))
        return h, h

    return jax.lax.scan(step, jnp.zeros(4), xs)[1]


f = hk.transform(recurrent)
params = f.init(jax.random.key(0), jnp.ones((6, 3)))
f.apply(params, None, jnp.ones((6, 3)))
