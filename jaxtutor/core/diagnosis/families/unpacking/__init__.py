"""Causes in statements that unpack a value into another number of names than it has parts."""
