# expects: grad-nonscalar at 14
# needs: numpyro
import jax
import jax.numpy as jnp
from numpyro.infer import MCMC, NUTS


def potential(z):
    return 0.5 * jnp.sum(z**2, axis=-1)


starts = jax.random.normal(jax.random.key(0), (4, 3))
mcmc = MCMC(NUTS(potential_fn=potential), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.key(1), init_params=starts)
print(mcmc.get_samples().mean(0))
