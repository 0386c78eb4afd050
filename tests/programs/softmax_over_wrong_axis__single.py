# expects: softmax-over-wrong-axis at 7
import jax
import jax.numpy as jnp


def probability(params, x):
    return jax.nn.softmax(jnp.tanh(x @ params["w1"]) @ params["w2"] + params["b"], axis=-1)


@jax.jit
def step(params, x, y):
    grads = jax.grad(lambda p: jnp.mean((probability(p, x)[:, 0] - y) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


params = {"w1": jnp.ones((3, 4)), "w2": jnp.ones((4, 1)), "b": jnp.zeros(1)}
for _ in range(2):
    params = step(params, jnp.ones((5, 3)), jnp.zeros(5))
