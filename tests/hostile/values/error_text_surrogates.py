# expects: raised: ValueError
# Raises an error whose text no encoding can spell.


def safe_clip_positive(x):
    raise ValueError('\ud800 and \udfff')
