# expects: raised: TypeError
# Gives an object that raises when it is compared, hashed, or asked for its truth.
class Odd:
    def __eq__(self, other):
        raise ValueError('incomparable')

    def __hash__(self):
        raise ValueError('no hash')

    def __bool__(self):
        raise ValueError('neither')

    def __len__(self):
        raise ValueError('no length')


def safe_clip_positive(x):
    return Odd()
