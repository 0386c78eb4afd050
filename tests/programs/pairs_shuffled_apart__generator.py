# expects: pairs-shuffled-apart at 10
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(1)


def epoch(features, targets):
    features = rng.permutation(features)
    targets = rng.permutation(targets)
    return jnp.asarray(features), jnp.asarray(targets)


x, y = epoch(np.ones((6, 2)), np.arange(6.0))
print(x.shape, y.shape)
