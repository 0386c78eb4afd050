# expects: leaked-by-append at 11
import jax
import jax.numpy as jnp

means = []


@jax.grad
def loss(w):
    mean = w * jnp.ones(3)
    means.append(mean)
    return mean.sum()


loss(1.0)
print(sum(m.mean() for m in means))
