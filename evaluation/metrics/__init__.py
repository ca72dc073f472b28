"""Numbers from numbers: numpy in, values with their intervals out."""
