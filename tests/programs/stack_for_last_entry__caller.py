# expects: stack-for-last-entry at 9
import jax
import jax.numpy as jnp


def simulate(field, rate):
    def step(field, _):
        field = field + rate * (jnp.roll(field, 1) - field)
        return field, field

    _, history = jax.lax.scan(step, field, None, length=2000)
    return history, rate


run = jax.jit(simulate)
for rate in (0.1, 0.2):
    fields, _ = run(jnp.zeros(3000).at[10].set(1.0), rate)
    print(rate, fields[-1].max(), fields[-1].mean())
