# expects: sample-in-jax-loop at 23
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import lax
from numpyro.infer import MCMC, NUTS


class Volatility:
    def __init__(self, returns):
        self.returns = returns

    def model(self, returns=None):
        step_size = numpyro.sample("step_size", dist.Exponential(10.0))

        def transition(level, r):
            level = numpyro.sample("level", dist.Normal(level, step_size))
            numpyro.sample("return", dist.Normal(0.0, jnp.exp(level)), obs=r)
            return level, level

        _, levels = lax.scan(transition, jnp.zeros(()), returns)
        return levels

    def fit(self, key):
        mcmc = MCMC(NUTS(self.model), num_warmup=4, num_samples=4, progress_bar=False)
        mcmc.run(key, self.returns)
        return mcmc.get_samples()


print(Volatility(jnp.array([0.1, -0.2, 0.3])).fit(jax.random.key(0))["step_size"].shape)
