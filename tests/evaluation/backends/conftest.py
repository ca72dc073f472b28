"""Tiny language models, loaded once for all tests."""

import pytest
import torch

from evaluation.backends.vision_language import LanguageModel
from tests.evaluation.backends.tiny_models import FAMILIES, TILED

# Tiny models gain nothing from several threads, which wait for each other where cores are shared.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A function that returns the loaded model of a family; nobody may change it."""
    models = {}

    def loaded(family):
        if family not in models:
            models[family] = LanguageModel.load({**FAMILIES, **TILED}[family](tmp_path_factory.mktemp("tiny") / family))
        return models[family]

    return loaded
