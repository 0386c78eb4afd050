# expects: silent-broadcast at 12
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


def model(table, y):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    numpyro.sample("y", dist.Normal(table * slope, 1.0), obs=y)


table, y = jnp.arange(5.0)[:, None], jnp.arange(5.0)
print(jax.jit(lambda s: log_density(model, (table, y), {}, {"slope": s})[0])(1.0))
