# expects: check unchanged
# says: After the call, `x` no longer exists. Its memory was donated to the compiled program, but
#     the caller may still need it.
"""Saves memory by donating x."""

from functools import partial

import jax


@partial(jax.jit, donate_argnums=0)
def replace_at(x, i, v):
    return x.at[i].set(v)
