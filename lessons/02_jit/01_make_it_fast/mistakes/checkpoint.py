# expects: check traces-once
# says: Your function is traced again at every call, although the answers are right. What was
#     compiled must still be there at the next call.
"""Uses another transformation, which does not compile."""

import jax


def compile_once(f):
    return jax.checkpoint(f)
