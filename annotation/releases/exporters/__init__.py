"""The formats of a frozen release: one protocol (``base``), one module per format, one table (``registry``)."""
