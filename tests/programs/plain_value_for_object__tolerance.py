# expects: plain-value-for-object at 14
# needs: diffrax
import diffrax
import jax.numpy as jnp

settings = {"tolerance": 1e-6, "end": 2.0}
solution = diffrax.diffeqsolve(
    diffrax.ODETerm(lambda t, y, args: -y),
    diffrax.Dopri5(),
    t0=0.0,
    t1=settings["end"],
    dt0=0.1,
    y0=jnp.ones(3),
    stepsize_controller=settings["tolerance"],
)
print(solution.ys)
