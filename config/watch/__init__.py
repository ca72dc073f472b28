"""Monitoring: health, metrics and logs. Nothing here reads or writes people's work."""
