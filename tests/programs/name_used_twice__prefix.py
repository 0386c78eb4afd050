# expects: name-used-twice at 17
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist


def effect(name, x):
    scale = numpyro.sample(f"{name}_scale", dist.HalfNormal(1.0))
    return numpyro.sample(f"{name}_slope", dist.Normal(0.0, scale)) * x


def model(height, width):
    total = effect("size", height)
    # The second effect.
    total += effect("size", width)
    return numpyro.sample("y", dist.Normal(total, 1.0))


with numpyro.handlers.seed(rng_seed=0), numpyro.handlers.trace():
    print(model(jnp.ones(2), jnp.zeros(2)))
