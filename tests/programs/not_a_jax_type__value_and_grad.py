# expects: not-a-jax-type at 10
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp

model = eqx.nn.MLP(3, "scalar", 8, 1, activation=jax.nn.tanh, key=jax.random.key(0))


value, grads = jax.value_and_grad(lambda m, x: m(x))(model, jnp.ones(3))
