# expects: grad-nonscalar at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp

mlp = eqx.nn.MLP(in_size=2, out_size=1, width_size=8, depth=2, key=jax.random.key(0))
point = jnp.array([0.3, -0.2])
slope = jax.grad(mlp)(point)
print(slope)
