# expects: adjoint-closes-over-value at 9
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def positions(stiffness, start, times):
    def spring(t, state, args):
        position, speed = state
        return speed, -stiffness * position

    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(spring),
        diffrax.Tsit5(),
        t0=times[0],
        t1=times[-1],
        dt0=0.05,
        y0=(start, jnp.zeros_like(start)),
        saveat=diffrax.SaveAt(ts=times),
        adjoint=diffrax.BacksolveAdjoint(),
    )
    return solution.ys[0]


def misfit(stiffness, times, measured):
    return jnp.mean((positions(stiffness, measured[0], times) - measured) ** 2)


times = jnp.linspace(0.0, 1.0, 5)
measured = jnp.cos(2.0 * times)
print(jax.jit(jax.grad(misfit))(jnp.array(3.0), times, measured))
