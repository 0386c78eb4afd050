# expects: wrong-arity at 11
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Predictive, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def model(x, y):
    w = numpyro.sample("w", dist.Normal(jnp.zeros(3), 1).to_event(1))
    numpyro.sample("y", dist.Normal(x @ w, 0.1), obs=y)


x, y = jnp.ones((10, 3)), jnp.ones(10)
guide = AutoNormal(model)
svi = SVI(model, guide, numpyro.optim.Adam(0.01), Trace_ELBO())
result = svi.run(jax.random.PRNGKey(0), 10, x, y, progress_bar=False)
predictive = Predictive(model, guide=guide, params=result.params, num_samples=5)
print(predictive(jax.random.PRNGKey(1), x)["y"].shape)
