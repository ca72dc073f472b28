"""Commands of dialogues."""

from annotation.dialogues.services.pairing import join_lobby, leave_lobby, pair_waiting
from annotation.dialogues.services.stopping import leave, pause, resume, sweep_dialogues
from annotation.dialogues.services.talking import give_sign, say

__all__ = [
    "give_sign",
    "join_lobby",
    "leave",
    "leave_lobby",
    "pair_waiting",
    "pause",
    "resume",
    "say",
    "sweep_dialogues",
]
