"""The causes, in packages of topics: a topic has the rules, the matchers and the fixes."""
