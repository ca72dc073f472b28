"""Systems under test, and the files they are made of."""
