"""Checks lessons and scripts, from source text to verdict."""
