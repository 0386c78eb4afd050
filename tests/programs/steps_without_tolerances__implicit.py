# expects: steps-without-tolerances at 14
# needs: diffrax
import diffrax
import jax.numpy as jnp


def robertson(t, y, args):
    k1, k2, k3 = args
    a, b, c = y
    first, second, third = k1 * a, k2 * b**2, k3 * b * c
    return jnp.stack([third - first, first - third - second, second])


solution = diffrax.diffeqsolve(
    diffrax.ODETerm(robertson),
    diffrax.Kvaerno5(),
    t0=0.0,
    t1=10.0,
    dt0=1e-3,
    y0=jnp.array([1.0, 0.0, 0.0]),
    args=(0.04, 3e3, 1e2),
)
print(solution.ys[-1])
