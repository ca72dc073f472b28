"""The replies behind the figures of runs over item sets, and what people read in them."""
