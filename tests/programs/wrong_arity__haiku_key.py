# expects: wrong-arity at 15
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def predict(readings):
    return hk.Linear(1)(jnp.tanh(hk.Linear(4)(readings)))


network = hk.without_apply_rng(hk.transform(predict))
readings = jnp.ones((6, 2))
weights = network.init(jax.random.key(0), readings)
print(network.apply(weights, jax.random.key(1), readings))
