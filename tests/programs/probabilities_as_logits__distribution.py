# expects: probabilities-as-logits at 13
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoDelta


def model(x, label):
    w = numpyro.sample("w", dist.Normal(0, 1).expand([2, 3]).to_event(2))
    numpyro.sample("label", dist.Categorical(logits=jax.nn.softmax(x @ w)), obs=label)


svi = SVI(model, AutoDelta(model), numpyro.optim.Adam(0.1), Trace_ELBO())
result = svi.run(jax.random.key(0), 5, jnp.ones((4, 2)), jnp.arange(4) % 3, progress_bar=False)
print(result.losses.shape)
