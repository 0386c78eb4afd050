# expects: nothing
import jax
import jax.numpy as jnp


def mean_and_variance(x):
    mean = x.mean()
    variance = ((x - mean) ** 2).mean()
    return mean, variance


@jax.jit
def centre(x):
    mean, _variance = mean_and_variance(x)
    return x - mean


@jax.jit
def shape_only(x):
    doubled = jnp.concatenate([x, x])
    _checked = jnp.sin(x)
    return x.sum() / doubled.size


def loss(w, x):
    accuracy = jnp.mean(x @ w > 0)
    metrics = {"accuracy": accuracy}
    return jnp.sum((x @ w) ** 2), metrics


@jax.jit
def step(w, x):
    (_, _metrics), gradient = jax.value_and_grad(loss, has_aux=True)(w, x)
    return w - 0.1 * gradient


@jax.jit
def run(x):
    def advance(carry, _):
        time, y = carry
        slope = -y * time
        time = time + 0.1
        return (time, y + 0.1 * slope), None

    return jax.lax.scan(advance, (0.0, x), None, length=3)[0][1]


@jax.jit
def drift(t, y):
    scale = jnp.exp(-t)
    return pull(y, scale) if y.ndim else pull(scale, y)


def pull(y, scale):
    return -y * scale


w = jnp.ones(3)
print(centre(w), shape_only(w), step(w, jnp.ones((2, 3))), run(1.0), drift(0.1, w))
