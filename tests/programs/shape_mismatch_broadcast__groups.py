# expects: shape-mismatch-broadcast at 15
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def schools(school, hours, grades=None):
    with numpyro.plate("schools", 3):
        level = numpyro.sample("level", dist.Normal(0.0, 1.0))
    effect = numpyro.sample("effect", dist.Normal(0.0, 1.0))
    # Each pupil goes to one school.
    expected = level + effect * hours
    with numpyro.plate("pupils", hours.shape[0]):
        numpyro.sample("grades", dist.Normal(expected, 1.0), obs=grades)


mcmc = MCMC(NUTS(schools), num_warmup=3, num_samples=3, progress_bar=False)
mcmc.run(jax.random.key(0), jnp.array([0, 1, 2, 0, 1]), jnp.arange(5.0), grades=jnp.ones(5))
print(mcmc.get_samples()["level"].shape)
