# expects: loop-carry-structure-mismatch at 6
import jax


def step(carry, _):
    return {"x": carry["x"] + carry["v"]}, carry["x"]


jax.lax.scan(step, {"x": 0.0, "v": 1.0}, length=3)
