"""Systems at work: runs, predictions, and what wakes them."""
