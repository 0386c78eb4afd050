# expects: wrong-arity at 5
# needs: optax
import optax

tx = optax.adamw(lr=1e-3, weight_decay=1e-4)
