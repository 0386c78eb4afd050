# expects: library-argument-missing at 9
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def scaled(x):
    factor = hk.get_parameter("factor", [x.shape[-1]])
    return factor * hk.Linear(x.shape[-1])(x)


net = hk.without_apply_rng(hk.transform(scaled))
print(net.init(jax.random.key(0), jnp.ones((2, 3))))
