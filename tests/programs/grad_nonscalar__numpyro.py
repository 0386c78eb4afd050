# expects: grad-nonscalar at 11
# needs: numpyro
import jax
import jax.numpy as jnp
from numpyro.infer import MCMC, NUTS

data = jnp.array([0.1, 0.3, -0.2])


def potential(mu):
    return 0.5 * (data - mu) ** 2


kernel = NUTS(potential_fn=potential)
mcmc = MCMC(kernel, num_warmup=2, num_samples=2, progress_bar=False)
mcmc.run(jax.random.key(0), init_params=jnp.array(0.0))
