# expects: solution-not-dense at 6
# needs: diffrax
import diffrax
import jax.numpy as jnp

saveat = diffrax.SaveAt(ts=jnp.linspace(0.0, 3.0, 4))
solution = diffrax.diffeqsolve(
    diffrax.ODETerm(lambda t, y, args: jnp.stack([y[1], -y[0]])),
    diffrax.Dopri5(),
    t0=0.0,
    t1=3.0,
    dt0=0.05,
    y0=jnp.array([1.0, 0.0]),
    saveat=saveat,
)
print(solution.ys.shape, solution.derivative(1.5))
