# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np

with np.errstate(divide="ignore"):
    log_prior = np.log(np.array([0.0, 0.25, 0.75]))


@jax.jit
def posterior(log_likelihood):
    return jax.nn.softmax(log_prior + log_likelihood)


print(log_prior, posterior(jnp.array([0.1, 0.2, 0.3])))
