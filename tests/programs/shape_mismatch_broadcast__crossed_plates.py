# expects: shape-mismatch-broadcast at 16
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import Predictive

VOTES = jnp.ones((7, 3), int)


def model(votes):
    with numpyro.plate("judges", 7, dim=-1), numpyro.plate("songs", 3, dim=-2):
        taste = numpyro.sample("taste", dist.Normal(0.0, 1.0))
        # The rows of the votes are those of the judges, whose plate counts the columns.
        numpyro.sample("votes", dist.Bernoulli(logits=taste.T), obs=votes)


print(Predictive(model, num_samples=2)(jax.random.key(0), VOTES)["taste"].shape)
