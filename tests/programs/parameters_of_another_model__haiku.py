# expects: parameters-of-another-model at 19
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def train_fn(x):
    return hk.Sequential([hk.Linear(8), jax.nn.relu, hk.Linear(1)])(x)


def eval_fn(x):
    return hk.nets.MLP([8, 1])(x)


train = hk.without_apply_rng(hk.transform(train_fn))
evaluate = hk.without_apply_rng(hk.transform(eval_fn))
params = train.init(jax.random.PRNGKey(0), jnp.ones((1, 3)))
print(evaluate.apply(params, jnp.ones((4, 3))))
