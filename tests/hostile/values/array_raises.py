# expects: raised: TypeError
# Gives an object whose __array__ raises.
class Odd:
    def __array__(self, *args, **kwargs):
        raise RuntimeError('no array')


def safe_clip_positive(x):
    return Odd()
