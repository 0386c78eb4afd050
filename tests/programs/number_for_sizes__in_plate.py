# expects: number-for-sizes at 10
# needs: numpyro
import jax
import numpyro
import numpyro.distributions as dist


def model(schools):
    with numpyro.plate("schools", len(schools)):
        return numpyro.sample("effect", dist.Normal(0, 1), sample_shape=len(schools))


print(numpyro.handlers.seed(model, jax.random.key(0))(["a", "b", "c"]).shape)
