"""Finds the files and the settings of a project, and lints the files in several processes."""
