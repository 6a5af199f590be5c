"""One module a format; each returns a Document."""
