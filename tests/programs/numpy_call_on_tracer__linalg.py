# expects: numpy-call-on-tracer at 9
import jax
import jax.numpy as jnp
import numpy as np


class Rot:
    def mat(self, a):
        return np.array([[jnp.cos(a), -jnp.sin(a)], [jnp.sin(a), jnp.cos(a)]])


jax.jit(Rot().mat)(0.3)
