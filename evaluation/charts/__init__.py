"""Tables and charts of scores as files: values in, bytes out; equal values give equal bytes."""
