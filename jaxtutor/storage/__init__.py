"""Stores what is kept on disk: the workspace, the progress database and caches."""
