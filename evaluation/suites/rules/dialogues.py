"""The texts of CVLUE's dialogues: its gold names questions and answers by ids of the test file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evaluation.profiles.rows import Row, WrongInput, unreadable

_FORM: Final = "an object with dialogs, id2question and id2answer"


@dataclass(frozen=True, slots=True)
class Dialogues:
    """What CVLUE's test file says.

    Attributes:
        path: Where it is.
        questions: Texts of questions by id.
        answers: Texts of answers by id.
        captions: Captions by picture id.
        rounds: Rounds of ids by picture id: question and answer, None for an answer that the file does not have.
        open: The rounds that are asked, those without an answer at the end of a dialog, as rows of a gold file.
    """

    path: Path
    questions: Mapping[str, str]
    answers: Mapping[str, str]
    captions: Mapping[str, str]
    rounds: Mapping[str, Sequence[tuple[str, str | None]]]
    open: Sequence[Row] = ()

    @property
    def file(self) -> str:
        """Its name, for errors."""
        return self.path.name

    def history(self, picture: str, before: int) -> list[tuple[str, str]]:
        """Return the texts of the rounds before a round, which counts from 1.

        Raises:
            KeyError: The file lacks the picture, a round or a text.
        """
        earlier = self.rounds[picture][: before - 1] if before > 1 else []
        if len(earlier) < before - 1:
            raise KeyError(picture)
        return [(self.questions[question], self.answers[answer or ""]) for question, answer in earlier]


def read_dialogues(path: Path) -> Dialogues:
    """Read CVLUE's file of dialogues; each dialog has the rounds up to the one that is asked, or all of them.

    Raises:
        WrongInput: The file is missing or has another form.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise WrongInput(path.name, 0, "", _FORM) from error
    if not isinstance(content, dict) or not isinstance(content.get("dialogs"), list):
        raise WrongInput(path.name, 0, "dialogs", _FORM)
    texts = {}
    for name in ("id2question", "id2answer"):
        value = content.get(name)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise WrongInput(path.name, 0, name, "an object of texts by id")
        texts[name] = value
    captions: dict[str, str] = {}
    rounds: dict[str, list[tuple[str, str | None]]] = {}
    unanswered: list[Row] = []
    for number, dialog in enumerate(content["dialogs"], 1):
        picture, caption, turns = _dialog(path.name, number, dialog)
        captions[picture] = caption
        if len(turns) > len(rounds.get(picture, [])):
            rounds[picture] = turns
        if turns and turns[-1][1] is None and "answer_options" in (last := dialog["dialog"][-1]):
            fields = {name: dialog[name] for name in ("image_id", "image") if name in dialog}
            fields |= {"dialog_id": len(turns), "question": last["question"], "answer_options": last["answer_options"]}
            unanswered.append(Row(path.name, number, fields))
    return Dialogues(path, texts["id2question"], texts["id2answer"], captions, rounds, unanswered)


def _dialog(file: str, number: int, dialog: Any) -> tuple[str, str, list[tuple[str, str | None]]]:
    if not isinstance(dialog, dict) or not isinstance(dialog.get("dialog"), list):
        raise WrongInput(file, number, "dialog", "a list of rounds")
    if not isinstance(dialog.get("image_id"), str | int) or not isinstance(dialog.get("caption"), str):
        raise WrongInput(file, number, "image_id, caption", "an id, and text")
    turns: list[tuple[str, str | None]] = []
    for turn in dialog["dialog"]:
        if not isinstance(turn, dict) or not isinstance(turn.get("question"), str | int):
            raise WrongInput(file, number, "dialog", "rounds with the id of a question")
        answer = turn.get("answer")
        turns.append((str(turn["question"]), None if answer is None else str(answer)))
    return str(dialog["image_id"]), dialog["caption"], turns
