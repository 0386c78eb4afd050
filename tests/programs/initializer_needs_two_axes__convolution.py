# expects: initializer-needs-two-axes at 10
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp

layer = nn.Conv(
    features=32, kernel_size=(3, 3), use_bias=True, bias_init=nn.initializers.lecun_normal()
)
jax.jit(layer.init)(jax.random.PRNGKey(42), jnp.empty((5, 28, 28, 1)))
