# expects: wrong-arity at 17
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.distributions import constraints
from numpyro.infer import SVI, Trace_ELBO


def model(readings, scale):
    centre = numpyro.sample("centre", dist.Normal(0.0, 5.0))
    with numpyro.plate("readings_plate", readings.shape[0]):
        numpyro.sample("reading", dist.StudentT(4.0, centre, scale), obs=readings)


def guide():
    loc = numpyro.param("loc", 0.0)
    width = numpyro.param("width", 1.0, constraint=constraints.positive)
    numpyro.sample("centre", dist.Normal(loc, width))


def main(steps=50, rate=0.05):
    readings = 2.0 + jax.random.normal(jax.random.key(1), (30,))
    svi = SVI(model, guide, numpyro.optim.Adam(rate), Trace_ELBO())
    result = svi.run(jax.random.key(0), steps, readings, 1.0, progress_bar=False)
    print(sorted(result.params))


main()
