# expects: container-for-array at 21
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def epidemic(t, state, args):
    susceptible, infected = state
    beta, gamma = args
    new = beta * susceptible * infected
    return -new, new - gamma * infected


def peak(beta, times):
    start = (jnp.array(0.99), jnp.array(0.01))
    term, saved = diffrax.ODETerm(epidemic), diffrax.SaveAt(ts=times)
    solution = diffrax.diffeqsolve(
        term, diffrax.Tsit5(), 0.0, 20.0, 0.1, start, args=(beta, 0.2), saveat=saved
    )
    return jnp.max(solution.ys[:, 1])


print(jax.grad(peak)(0.7, jnp.linspace(0.0, 20.0, 30)))
