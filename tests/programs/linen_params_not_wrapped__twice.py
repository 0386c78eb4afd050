# expects: linen-params-not-wrapped at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


net = nn.Dense(4)
params = net.init(jax.random.key(0), jnp.ones((2, 3)))


@jax.jit
def forward(params, x):
    return net.apply({"params": params}, x)


print(forward(params, jnp.ones((2, 3))))
