# expects: integer-beyond-dtype at 10
import hashlib

import jax


def key_for(name, seed):
    """Make a key of a seed and a name."""
    salt = int(hashlib.sha512(name.encode("utf-8")).hexdigest(), 16)
    return jax.random.fold_in(jax.random.key(seed), salt)


print(jax.random.normal(key_for("mcmc.sample_chain", 0)))
