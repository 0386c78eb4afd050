"""Causes in structured control flow: scan, loops, cond, recursion."""
