"""Commands of the panel track."""

from annotation.panel.services.judging import judge_item

__all__ = ["judge_item"]
