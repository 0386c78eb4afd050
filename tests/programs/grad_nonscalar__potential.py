# expects: grad-nonscalar at 12
# needs: numpyro
import jax
import jax.numpy as jnp
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

target = dist.Normal(jnp.array([10.0, 0.0]), 1.0)


def potential(z):
    return -target.log_prob(z["point"]).sum(1)


mcmc = MCMC(NUTS(potential_fn=potential), num_warmup=5, num_samples=5, progress_bar=False)
mcmc.run(jax.random.key(0), init_params={"point": jnp.zeros((1, 2))})
print(mcmc.get_samples()["point"].mean(0))
