"""Reads what a project allows, and finds in its source what needs no run. Pure."""
