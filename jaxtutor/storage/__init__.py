"""What is remembered on disk: the workspace, the progress database, caches."""
