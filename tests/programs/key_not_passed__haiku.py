# expects: key-not-passed at 10
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


model = hk.transform(lambda x: hk.Linear(4)(x))
params = model.init(jax.random.PRNGKey(0), jnp.ones((2, 3)))
print(model.apply(params, jnp.ones((2, 3))))
