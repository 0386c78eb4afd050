# expects: grad-nonscalar at 11
# needs: blackjax
import blackjax
import jax.numpy as jnp
from jax.scipy import stats

data = jnp.array([0.1, 0.3])


def log_density(mu):
    return stats.norm.logpdf(data, mu, 1)


sampler = blackjax.nuts(log_density, 0.1, jnp.ones(1))
sampler.init(jnp.array(0.0))
