# expects: times-not-saved at 13
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def field(t, y, rate):
    return -rate * y


def solve(rate, times, y0):
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(field), diffrax.Tsit5(), times[0], times[-1], 0.1, y0, args=rate
    )
    return solution.ys


def loss(rate, times, data):
    return jnp.mean((solve(rate, times, data[0]) - data) ** 2)


times = jnp.linspace(0.0, 1.0, 6)
print(jax.grad(loss)(0.5, times, jnp.exp(-times)))
