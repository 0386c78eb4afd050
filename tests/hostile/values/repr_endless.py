# expects: timed_out: still running
# Gives an object whose __repr__ does not end.
class Odd:
    def __repr__(self):
        while True:
            pass


def safe_clip_positive(x):
    return Odd()
