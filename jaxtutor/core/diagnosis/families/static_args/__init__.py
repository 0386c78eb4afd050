"""Causes in what jit accepts: static arguments, and arguments it cannot trace."""
