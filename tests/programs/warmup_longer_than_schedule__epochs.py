# expects: warmup-longer-than-schedule at 7
# needs: optax
import optax


def make_optimizer(rate, epochs, batches):
    schedule = optax.warmup_cosine_decay_schedule(0.0, rate, 500, epochs * batches)
    return optax.adamw(schedule)


optimizer = make_optimizer(1e-3, epochs=2, batches=20)
print(optimizer.init({}))
