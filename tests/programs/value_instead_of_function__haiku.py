# expects: value-instead-of-function at 9
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def readout(x):
    return hk.Linear(3, w_init=jnp.ones((2, 3)), b_init=jnp.zeros)(x)


model = hk.transform(readout)
params = model.init(jax.random.PRNGKey(0), jnp.ones((4, 2)))
print(params["linear"]["w"])
