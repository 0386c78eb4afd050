# expects: check work
# says: Your Jacobian is right, but for some shapes it is computed in the expensive mode. Compare
#     the number of passes: one for each input forwards, one for each output backwards.
"""Always goes backwards, inside a compiled function."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=0)
def jacobian(f, x):
    return jax.jacrev(f)(x)
