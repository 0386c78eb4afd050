# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def simulate(field):
    def step(field, _):
        field = field + 0.1 * (jnp.roll(field, 1) - field)
        return field, field

    return jax.lax.scan(step, field, None, length=2000)[1]


@jax.jit
def last_and_mean(field):
    history = simulate(field)
    return history[-1], history


@jax.jit
def newest_first(field):
    _, history = jax.lax.scan(lambda f, _: (0.9 * f, f), field, None, length=2000, reverse=True)
    return history


@jax.jit
def small(field):
    _, largest = jax.lax.scan(lambda f, _: (0.9 * f, f.max()), field, None, length=2000)
    return largest[-1]


start = jnp.zeros(3000).at[10].set(1.0)
history = simulate(start)
print(history[-1].max(), history[:, 10][::500])
print(last_and_mean(start)[0].max(), newest_first(start)[-1].max(), small(start))
