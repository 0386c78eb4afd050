# expects: probabilities-as-logits at 10
# needs: haiku optax
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x):
    return hk.Sequential([hk.Linear(8), jax.nn.relu, hk.Linear(3), jax.nn.softmax])(x)


net = hk.without_apply_rng(hk.transform(network))
x, y = jnp.ones((4, 2)), jnp.array([0, 1, 2, 0])


@jax.grad
def gradient(params):
    scores = net.apply(params, x)
    return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()


print(len(gradient(net.init(jax.random.key(0), x))))
