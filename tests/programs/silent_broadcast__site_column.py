# expects: silent-broadcast at 12
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer.util import log_density


def model(x, table):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    numpyro.sample("y", dist.Normal(x * slope, 1.0), obs=table)


x, table = jnp.arange(5.0), jnp.arange(5.0)[:, None]
print(jax.jit(lambda s: log_density(model, (x, table), {}, {"slope": s})[0])(1.0))
