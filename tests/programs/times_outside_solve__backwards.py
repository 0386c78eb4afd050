# expects: times-outside-solve at 9
# needs: diffrax
import diffrax
import jax.numpy as jnp

term = diffrax.ODETerm(lambda t, y, args: -2.0 * y)
end = jnp.array(1.0)
solution = diffrax.diffeqsolve(
    term, diffrax.Tsit5(), t0=1.0, t1=0.0, dt0=0.05, y0=end
)
print(solution.ys)
