# expects: haiku-state-not-passed at 14
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, is_training):
    return hk.BatchNorm(True, True, 0.9)(hk.Linear(5)(x), is_training).mean()


f = hk.transform_with_state(forward)
x = jnp.ones((3, 2))
params = f.init(jax.random.key(0), x, True)

loss, state = f.apply(params, None, x, True)
