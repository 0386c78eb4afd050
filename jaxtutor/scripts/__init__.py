"""Runs programs, and tries fixes of them."""
