# expects: check values
# says: Your layer is linear: `tanh` is missing.
"""Forgets tanh."""

def predict_batch(params, X):
    return X @ params["w"].T + params["b"]
