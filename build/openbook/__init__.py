"""openbook: a course's notes and slides as a static site that answers questions about them."""

__version__ = "0.1.0"
