"""What writes answers in the tab: which engines and models the page offers, and where their files come from."""
