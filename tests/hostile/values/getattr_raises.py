# expects: raised: RuntimeError
# Gives an object that raises for every attribute.
class Odd:
    def __getattribute__(self, name):
        raise RuntimeError(f'no {name}')


def safe_clip_positive(x):
    return Odd()
