# expects: nothing
import jax
import jax.numpy as jnp


def network(params, obs):
    h = jnp.tanh(obs @ params["body"])
    return h @ params["policy"], h @ params["critic"] + params["offset"]


@jax.jit
def act(params, obs, key):
    logits, value = network(params, obs)
    return jax.random.categorical(key, logits)


@jax.jit
def evaluate(params, x, weights, step):
    _scaled = x * weights.sum()
    _count = step + 1
    return (x @ params["body"]).mean()


@jax.jit
def momentum(w, m, g):
    m = 0.9 * m + g
    return w - 0.1 * m, m


params = {
    "body": jnp.ones((3, 4)),
    "policy": jnp.ones((4, 2)),
    "critic": jnp.ones((4, 1)),
    "offset": jnp.zeros(1),
}
print(act(params, jnp.ones(3), jax.random.key(0)))
print(evaluate(params, jnp.ones((2, 3)), jnp.ones((2, 3)), jnp.zeros(())))
w = m = jnp.zeros(3)
for _ in range(3):
    w, m = momentum(w, m, w - 1.0)
print(w)
