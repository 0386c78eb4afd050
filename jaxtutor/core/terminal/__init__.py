"""Decides about keys, layout and output of a terminal, without using one."""
