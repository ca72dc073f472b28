"""Systems side by side on a release: the board, pairs compared, and every query behind a number."""
