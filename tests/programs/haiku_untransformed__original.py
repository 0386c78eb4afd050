# expects: haiku-untransformed at 13
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    return hk.nets.MLP([8, 1])(x)


network = hk.without_apply_rng(hk.transform(forward))
params = forward.init(jax.random.PRNGKey(0), jnp.ones((1, 4)))
