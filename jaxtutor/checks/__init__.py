"""Runs and judges a submission of a lesson."""
