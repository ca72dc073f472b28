"""Charts as files: values in, bytes out. Equal values give equal bytes."""
