# expects: scan-body-not-pair at 16
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.contrib.control_flow import scan


def river(levels):
    spread = numpyro.sample("spread", dist.HalfNormal(1.0))

    def next_day(level, observed):
        level = numpyro.sample("level", dist.Normal(level, spread))
        numpyro.sample("gauge", dist.Normal(level, 0.1), obs=observed)
        return level

    scan(next_day, jnp.array(0.0), levels)


model = numpyro.handlers.seed(river, jax.random.key(0))
sites = numpyro.handlers.trace(model).get_trace(jnp.array([0.1, 0.3, 0.2]))
print(sites["level"]["value"].shape)
