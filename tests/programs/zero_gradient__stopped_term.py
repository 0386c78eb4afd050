# expects: zero-gradient at 7
import jax
import jax.numpy as jnp


def loss(params, seen, chosen, gains):
    values = jax.lax.stop_gradient(seen @ params["critic"])[:, 0]
    surprise = gains - values
    scores = jax.nn.log_softmax(seen @ params["actor"])
    policy = -jnp.mean(jnp.take_along_axis(scores, chosen[:, None], axis=1)[:, 0] * surprise)
    return policy + 0.5 * jnp.mean(surprise**2)


@jax.jit
def step(params, *batch):
    slopes = jax.grad(loss)(params, *batch)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, slopes)


keys = jax.random.split(jax.random.key(3), 5)
params = {
    "actor": jax.random.normal(keys[0], (4, 3)),
    "critic": jax.random.normal(keys[1], (4, 1)),
}
batch = (
    jax.random.normal(keys[2], (16, 4)),
    jax.random.randint(keys[3], (16,), 0, 3),
    jax.random.normal(keys[4], (16,)),
)
for _ in range(4):
    params = step(params, *batch)
print(params["actor"].shape)
