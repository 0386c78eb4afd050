# expects: raised: ValueError
# Gives an object that has every attribute, each an object like it.
class Odd:
    def __getattr__(self, name):
        return Odd()

    def __call__(self, *args, **kwargs):
        return self


def safe_clip_positive(x):
    return Odd()
