# expects: raised: TypeError
# Gives an object whose __array__ does not end.
class Odd:
    def __array__(self, *args, **kwargs):
        while True:
            pass


def safe_clip_positive(x):
    return Odd()
