# expects: symbolic-dimension-inconclusive at 11
import jax
import jax.numpy as jnp
from jax import export

a = jax.ShapeDtypeStruct(export.symbolic_shape("n, 3"), jnp.float32)


def f(x):
    t = 0.0
    for i in range(x.shape[0]):
        t = t + x[i]
    return t


e = export.export(jax.jit(f))(a)
