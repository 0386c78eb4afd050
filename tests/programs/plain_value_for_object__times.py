# expects: plain-value-for-object at 20
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


@jax.jit
def heights(start):
    times = jnp.linspace(0.0, 1.0, 5)
    controller = diffrax.PIDController(rtol=1e-5, atol=1e-5)
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(lambda t, y, args: jnp.stack([y[1], -9.81])),
        diffrax.Tsit5(),
        t0=0.0,
        t1=1.0,
        dt0=0.1,
        y0=start,
        stepsize_controller=controller,
        saveat=times,
    )
    return solution.ys[:, 0]


print(heights(jnp.array([0.0, 5.0])))
