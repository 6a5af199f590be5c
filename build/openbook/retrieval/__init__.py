"""Question to ranking, prompt and answer: the reference that the tab must equal."""
