# expects: layer-without-key at 12
# needs: equinox
import equinox as eqx
import jax.numpy as jnp


drop = eqx.nn.Dropout(0.5)


@eqx.filter_jit
def f(x):
    return drop(x)


print(f(jnp.ones(3)))
