# expects: nothing
import jax
import jax.numpy as jnp

x = jnp.sin(jnp.arange(60.0)).reshape(20, 3)
counts = jnp.arange(20.0) % 4


@jax.jit
def fit(rates):
    log_likelihood = lambda r: jnp.mean(counts * (x @ r) - jnp.exp(x @ r))
    return rates + 0.1 * jax.grad(log_likelihood)(rates)


@jax.jit
def widest(direction):
    variance = lambda w: jnp.mean((x @ w) ** 2)
    moved = direction + 0.5 * jax.grad(variance)(direction)
    return moved / jnp.linalg.norm(moved)


@jax.jit
def attack(image, weights):
    loss = lambda image: jnp.sum((image @ weights - 1.0) ** 2)
    moved = image + 0.05 * jnp.sign(jax.grad(loss)(image))
    return jnp.clip(moved, 0.0, 1.0)


rates, direction, image = jnp.zeros(3), jnp.array([1.0, 0.0, 0.0]), jnp.full(6, 0.5)
for _ in range(80):
    rates, direction = fit(rates), widest(direction)
    image = attack(image, jnp.cos(jnp.arange(12.0)).reshape(6, 2))
print(rates, direction, image)
