# expects: nothing
import jax
import jax.numpy as jnp


def exchanged(first, second):
    return second, first


def fibonacci(carry, _):
    older, newer = carry
    return (newer, older + newer), newer


def divergence(mean, other):
    return jnp.sum((mean - other) ** 2 * mean)


def both(mean, other):
    return divergence(mean, other) + divergence(other, mean)


def flipped(other, mean):
    return divergence(mean, other)


def scores(loss_of, x):
    loss = loss_of(x)
    return loss.mean(), loss


first, second = exchanged(jnp.ones(2), jnp.zeros(2))
second, first = exchanged(first, second)
_, numbers = jax.lax.scan(fibonacci, (0, 1), length=5)
mean_loss, losses = scores(jnp.abs, jnp.arange(3.0))
print(both(first, second), flipped(first, second), numbers, mean_loss, losses)
