# expects: raised: ValueError
# Raises an error whose text would clear the screen and ring.


def safe_clip_positive(x):
    raise ValueError('\x1b[2J\x1b]0;owned\x07\x1b[31mred\u202eevil\u200b')
