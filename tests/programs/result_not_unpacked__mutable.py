# expects: result-not-unpacked at 13
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

norm = nn.BatchNorm(use_running_average=False)
variables = norm.init(jax.random.key(0), jnp.ones((4, 3)))


def loss(variables, x, labels):
    scores = norm.apply(variables, x, mutable=["batch_stats"])
    return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()


print(loss(variables, jnp.arange(12.0).reshape(4, 3), jnp.array([0, 1, 2, 0])))
