# expects: nothing
import jax
import jax.numpy as jnp

real = 1.0 + 0.1 * jnp.sin(jnp.arange(64.0)).reshape(32, 2)


@jax.jit
def tune(log_alpha, log_prob):
    # The temperature of soft actor-critic: its gradient changes sign at the wanted entropy.
    grad = jax.grad(lambda a: -a * (log_prob.mean() - 1.0))(log_alpha)
    return log_alpha - 0.1 * grad


@jax.jit
def criticise(critic, fake):
    # A Wasserstein critic is linear in its last layer, and is kept within bounds.
    def difference(critic):
        score = lambda x: jnp.tanh(x @ critic["hidden"]) @ critic["out"]
        return jnp.mean(score(fake)) - jnp.mean(score(real))

    grads = jax.grad(difference)(critic)
    return jax.tree.map(lambda p, g: jnp.clip(p - 0.05 * g, -0.1, 0.1), critic, grads)


@jax.jit
def fit(params, x, y):
    def likelihood(params):
        z = (y - x @ params["w"] - params["b"]) * jnp.exp(-params["log_scale"])
        return jnp.mean(0.5 * z**2 + params["log_scale"])

    grads = jax.grad(likelihood)(params)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)


@jax.jit
def separate(params, x, y):
    loss = lambda p: jnp.mean(jax.nn.relu(1.0 - y * (x @ p["w"] + p["b"])))
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, jax.grad(loss)(params))


log_alpha = jnp.float32(0.0)
critic = {"hidden": jnp.eye(2), "out": jnp.array([0.05, -0.05])}
params = {"w": jnp.zeros(2), "b": jnp.float32(0.0), "log_scale": jnp.float32(0.0)}
margin = {"w": jnp.zeros(2), "b": jnp.float32(0.0)}
for n in range(60):
    log_alpha = tune(log_alpha, jnp.sin(0.3 * n + jnp.arange(8.0)) + 1.0)
    critic = criticise(critic, 0.1 * jnp.cos(n + jnp.arange(64.0)).reshape(32, 2))
    x = jnp.sin(n + jnp.arange(16.0)).reshape(8, 2)
    params = fit(params, x, x[:, 0] - 0.5 * x[:, 1])
    margin = separate(margin, x, jnp.sign(x[:, 0]))
print(log_alpha, critic, params, margin)
