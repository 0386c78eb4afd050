# expects: shape-mismatch-matmul at 12
# needs: diffrax
import diffrax as dfx
import jax
import jax.numpy as jnp

t0, t1 = 0.0, 1.0
drift = lambda t, y, args: -y
diffusion = lambda t, y, args: 0.3 * jnp.ones((3, 2))
brownian = dfx.VirtualBrownianTree(t0, t1, tol=1e-3, shape=(3,), key=jax.random.key(0))
terms = dfx.MultiTerm(dfx.ODETerm(drift), dfx.ControlTerm(diffusion, brownian))
sol = dfx.diffeqsolve(terms, dfx.Euler(), t0, t1, dt0=0.05, y0=jnp.ones(3))
print(sol.ys)
