"""What attempts say about a learner: progress, activity, reviews."""
