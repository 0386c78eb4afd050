# expects: raised: Odd
# Raises an error that only a catch of everything catches.
class Odd(BaseException):
    pass


def safe_clip_positive(x):
    raise Odd('oh')
