# expects: raised: UnicodeEncodeError
# Raises an error whose class has a name with an escape sequence and a lone surrogate.
Odd = type('Odd\x1b[2J\ud800', (Exception,), {})


def safe_clip_positive(x):
    raise Odd('oh')
