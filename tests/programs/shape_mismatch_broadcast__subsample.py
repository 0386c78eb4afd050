# expects: shape-mismatch-broadcast at 14
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def prices(area, age, price=None):
    base = numpyro.sample("base", dist.Normal(0.0, 1.0))
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0).expand([2]).to_event(1))
    with numpyro.plate("houses", area.shape[0], subsample_size=8):
        mean = base + slope[0] * area + slope[1] * age
        numpyro.sample("price", dist.Normal(mean, 0.1), obs=price)


area, age = jnp.linspace(0.0, 1.0, 40), jnp.linspace(1.0, 0.0, 40)
svi = SVI(prices, AutoNormal(prices), numpyro.optim.Adam(0.01), Trace_ELBO())
fitted = svi.run(jax.random.key(0), 5, area, age, 2 * area - age, progress_bar=False)
print(fitted.losses.shape)
