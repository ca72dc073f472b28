"""One model in memory at a time."""

import weakref

import pytest

from evaluation.runs.services.loading import free_loaded, loaded_once


class Model:
    def __init__(self):
        self.itself = self  # as parts of real ones refer to their whole


def test_a_model_is_loaded_once_and_freed_before_another_is():
    first = loaded_once("a", Model)
    assert loaded_once("a", Model) is first
    freed = weakref.ref(first)
    del first
    alive = []

    def other():
        alive.append(freed() is not None)
        return Model()

    second = loaded_once("b", other)
    assert alive == [False]
    assert loaded_once("b", Model) is second
    free_loaded()
    assert loaded_once("b", Model) is not second


def test_what_cannot_be_loaded_leaves_nothing_behind():
    loaded_once("a", Model)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            loaded_once("b", lambda: 1 / 0)
    assert isinstance(loaded_once("a", Model), Model)
