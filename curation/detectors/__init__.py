"""Detectors of what may show a person: faces, and lines of text. Pure: pixels in, boxes out.

They run on the processor, with weights that two packages ship; nothing is downloaded and no picture leaves the machine.
"""
