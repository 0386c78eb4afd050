"""Worker processes: started, run, parked, confined, ended."""
