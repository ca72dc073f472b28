"""Tiny language models, loaded once for all tests."""

import pytest

from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.tiny_models import FAMILIES, TILED


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A function that returns the loaded model of a family; nobody may change it."""
    models = {}

    def loaded(family):
        if family not in models:
            models[family] = LanguageModel.load({**FAMILIES, **TILED}[family](tmp_path_factory.mktemp("tiny") / family))
        return models[family]

    return loaded
