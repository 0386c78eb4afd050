"""The causes, by where the learner is: a topic has its rules, matchers and fixes."""
