# expects: function-not-called at 13
# needs: flax
from collections.abc import Callable

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import lax


class SimpleDense(nn.Module):
    features: int
    kernel_init: Callable = nn.initializers.lecun_normal
    bias_init: Callable = nn.initializers.zeros

    @nn.compact
    def __call__(self, inputs):
        kernel = self.param("kernel", self.kernel_init, (inputs.shape[-1], self.features))
        bias = self.param("bias", self.bias_init, (self.features,))
        y = lax.dot_general(inputs, kernel, (((inputs.ndim - 1,), (0,)), ((), ())))
        return y + bias


rng = jax.random.PRNGKey(0)
layer = SimpleDense(5)
print(layer.init(rng, jnp.ones((1, 32, 32, 3))))
