# expects: traced-shape-arg at 13
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def marks(school, mark):
    schools = jnp.max(school) + 1
    spread = numpyro.sample("spread", dist.HalfNormal(1.0))
    with numpyro.plate("schools", schools):
        level = numpyro.sample("level", dist.Normal(0.0, 1.0))
    with numpyro.plate("pupils", len(mark)):
        numpyro.sample("mark", dist.Normal(level[school], spread), obs=mark)


inference = MCMC(NUTS(marks), num_warmup=5, num_samples=5, progress_bar=False)
inference.run(jax.random.key(0), jnp.array([0, 1, 1]), jnp.array([0.1, 0.7, 0.9]))
print(inference.get_samples()["level"].shape)
