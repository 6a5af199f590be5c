"""Questions with known answers, and what is measured with them."""
