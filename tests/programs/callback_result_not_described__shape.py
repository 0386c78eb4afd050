# expects: callback-result-not-described at 13
import jax
import jax.numpy as jnp
import numpy as np


def rank_on_host(scores):
    return np.argsort(np.argsort(scores)).astype(np.float32)


@jax.jit
def spearman(a, b):
    ranks_a, ranks_b = (jax.pure_callback(rank_on_host, v.shape, v) for v in (a, b))
    return jnp.corrcoef(ranks_a, ranks_b)[0, 1]


print(spearman(jnp.array([1.0, 5.0, 3.0]), jnp.array([2.0, 6.0, 1.0])))
