# expects: raised: SystemError
# Gives a list that holds itself.
def round_and_round(x):
    found = [x]
    found.append(found)
    return found


def safe_clip_positive(x):
    return round_and_round(x)
