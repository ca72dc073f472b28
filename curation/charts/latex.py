"""Texts in LaTeX."""

from __future__ import annotations

from typing import Final

_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",
        "]": "{]}",
        "\n": " ",
        "\r": " ",
    }
)


def escaped(text: str) -> str:
    """Escape a text for LaTeX."""
    return text.translate(_LATEX)
