"""Requests to model servers: where they are, how they are sent, and requests that carry text only.

Pure: no Django, no table. What is paid for is asked through ``curation/calls``, which keeps a row for each call.
"""
