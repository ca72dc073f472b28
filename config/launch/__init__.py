"""Runs the whole application on one machine: ``python -m config.launch`` starts and supervises every part.

PostgreSQL and Valkey come as binaries inside Python packages, so that nothing has to be installed beside Python. The
process management is our own: the packages' own start-up code opens parent directories to every user when run as
root, forgets to stop servers whose users were killed, and takes any live process number for a running server.
"""
