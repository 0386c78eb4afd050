# expects: attribute-typo at 10
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp

model = eqx.nn.Linear(3, 1, key=jax.random.key(0))


@eqx.filter_value_and_gradd
def loss(model, x):
    return jnp.mean(jax.vmap(model)(x) ** 2)


print(loss(model, jnp.ones((4, 3)))[0])
