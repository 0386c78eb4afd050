# expects: raised: ValueError
# Gives an object whose __jax_array__ gives itself.
class Odd:
    def __jax_array__(self):
        return self


def safe_clip_positive(x):
    return Odd()
