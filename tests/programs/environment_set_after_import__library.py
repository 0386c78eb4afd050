# expects: environment-set-after-import at 7
# needs: optax
from os import environ

import optax

environ.setdefault("JAX_DEBUG_NANS", "1")

optimizer = optax.adam(1e-3)
print(len(optimizer))
