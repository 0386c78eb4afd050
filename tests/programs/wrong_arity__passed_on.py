# expects: wrong-arity at 16
# needs: numpyro
import jax.numpy as jnp
import jax.random as random
import numpyro
import numpyro.distributions as dist


def model(dose, response=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 2.0))
    with numpyro.plate("patients", dose.shape[0]):
        numpyro.sample("response", dist.Normal(slope * dose, 1.0), obs=response)


mcmc = numpyro.infer.MCMC(numpyro.infer.NUTS(model), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(random.key(1), jnp.ones(4), y=jnp.ones(4))
