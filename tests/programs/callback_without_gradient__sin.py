# expects: callback-without-gradient at 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)


print(jax.grad(f)(1.0))
