# expects: solver-out-of-steps at 12
# needs: diffrax
import diffrax
import jax.numpy as jnp


def van_der_pol(t, y, mu):
    x, v = y
    return jnp.stack([v, mu * (1 - x**2) * v - x])


solution = diffrax.diffeqsolve(
    diffrax.ODETerm(van_der_pol),
    diffrax.Tsit5(),
    t0=0.0,
    t1=200.0,
    dt0=1e-3,
    y0=jnp.array([2.0, 0.0]),
    args=300.0,
    stepsize_controller=diffrax.PIDController(rtol=1e-5, atol=1e-5),
)
print(solution.ys)
