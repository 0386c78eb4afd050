# expects: raised: Odd
# Raises an error whose text is ten million letters.
class Odd(Exception):
    def __str__(self):
        return 'x' * 10_000_000


def safe_clip_positive(x):
    raise Odd('oh')
