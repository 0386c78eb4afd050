# expects: haiku-state-untransformed at 14
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def f(x):
    n = hk.get_state("n", [], init=jnp.zeros)
    hk.set_state("n", n + 1)
    return hk.Linear(4)(x)


model = hk.transform(f)
params = model.init(jax.random.PRNGKey(0), jnp.ones((2, 3)))
