# expects: prng-key-reuse at 8
import jax
import jax.numpy as jnp


def dropout(x, rate):
    """Zero a share of the activations."""
    key = jax.random.PRNGKey(42)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)


def forward(params, x):
    for w in params[:-1]:
        x = dropout(jax.nn.relu(x @ w), 0.5)
    return x @ params[-1]


@jax.jit
def update(params, x):
    grads = jax.grad(lambda p: jnp.mean(forward(p, x) ** 2))(params)
    return [p - 0.1 * g for p, g in zip(params, grads)]


params = [jnp.eye(3), jnp.ones((3, 1))]
for _ in range(3):
    params = update(params, jnp.ones((2, 3)))
