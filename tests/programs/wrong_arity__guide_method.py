# expects: wrong-arity at 16
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO


class Mixture:
    def model(self, x, weights):
        centre = numpyro.sample("centre", dist.Normal(0.0, 3.0))
        with numpyro.plate("rows", x.shape[0]), numpyro.handlers.scale(scale=weights):
            numpyro.sample("x", dist.Normal(centre, 1.0), obs=x)

    def guide(self, x):
        loc = numpyro.param("loc", x.mean())
        numpyro.sample("centre", dist.Normal(loc, 0.3))


mixture = Mixture()
svi = SVI(mixture.model, mixture.guide, numpyro.optim.Adam(0.05), Trace_ELBO())
x = 1.0 + jax.random.normal(jax.random.key(2), (20,))
state = svi.init(jax.random.key(0), x, 0.5)
for _ in range(3):
    state, loss = svi.update(state, x, 0.5)
print(bool(jnp.isfinite(loss)))
