"""What the course is: its lectures in order, the release gate, and the documents that readers return."""
