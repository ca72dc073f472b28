"""Files of predictions that people submit for a frozen release, scored as ``manage.py score`` does."""
