"""Notes and decks as HTML with stable anchors, and the page that asks."""
