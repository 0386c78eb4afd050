# expects: state-not-carried at 22
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoDelta


def model(y):
    mean = numpyro.sample("mean", dist.Normal(0.0, 10.0))
    numpyro.sample("y", dist.Normal(mean, 1.0), obs=y)


y = jnp.array([4.0, 5.0, 6.0])
guide = AutoDelta(model)
svi = SVI(model, guide, numpyro.optim.Adam(0.1), Trace_ELBO())
state = svi.init(jax.random.key(0), y)
update = jax.jit(svi.update)
for _ in range(20):
    _, loss = update(state, y)
print(svi.get_params(state), loss)
