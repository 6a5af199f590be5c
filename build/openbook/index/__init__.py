"""What the tab downloads: tokens, keyword postings, vectors, passages and the manifest that names them."""
