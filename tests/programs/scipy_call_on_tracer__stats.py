# expects: scipy-call-on-tracer at 10
import jax
import jax.numpy as jnp


from scipy import stats


def nll(mu, x):
    return -stats.norm.logpdf(x, mu).sum()


jax.grad(nll)(0.0, jnp.ones(3))
