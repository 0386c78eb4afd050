# expects: result-not-finite at 12
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_debug_nans", True)


@jax.jit
def surprise(scores, chosen):
    weights = jax.nn.softmax(scores)
    return -jnp.log(weights[chosen])


with np.errstate(divide="ignore"):
    prior = np.log(np.arange(1, 4))
print(surprise(jnp.array([0.0, 1.0, 200.0]) + prior, 0))
