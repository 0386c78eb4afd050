# expects: value-not-recorded at 20
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS


def catch(weights):
    typical = numpyro.sample("typical", dist.LogNormal(0.0, 1.0))
    with numpyro.plate("fish", weights.shape[0]):
        numpyro.sample("weight", dist.LogNormal(jnp.log(typical), 0.3), obs=weights)


class Fit:
    def __init__(self, weights):
        kernel = NUTS(catch)
        self.mcmc = MCMC(kernel, num_warmup=20, num_samples=10, progress_bar=False)
        self.mcmc.run(jax.random.key(0), weights, extra_fields=("energy",))

    def report(self):
        fields = self.mcmc.get_extra_fields()
        return fields["energy"].mean(), fields["num_steps"].max()


print(Fit(jnp.array([1.1, 0.8, 1.4])).report())
