"""What the tests of ranking share: prompts about a picture, candidates, and how far apart two rankings are."""

import torch

from curation.prompts.rules import Message, Picture
from evaluation.backends import routes
from evaluation.backends.asks import Ask
from evaluation.backends.likelihood import LocalRanker
from tests.evaluation.backends.tiny_models import picture

# For models this small, threads mostly wait for each other.
torch.set_num_threads(1)

QUESTION = "图中的砖墙是什么颜色的呢?"
#: Of one token and of thirty, with stems in common, one of them twice.
CANDIDATES = (
    "这个男人穿着黑色的长袍",
    "这个男人是在室外",
    "是的",
    "A",
    "图中的女子穿了一件浅绿色的旗袍。",
    "a woman in a cheongsam",
    "这个男人穿着黑色的长袍",
)
LETTERS = ("A", "B", "C", "D")


def ask(model, *texts, seen=None, picture_first=True):
    """A prompt of one message, about a picture if the model reads any."""
    texts = texts or (QUESTION,)
    if model.processor is None:
        return Ask((Message("user", texts),))
    parts = (Picture(), *texts) if picture_first else (*texts, Picture())
    return Ask((Message("user", parts),), picture=seen or picture())


def rounds(model, count):
    """The rounds of a dialogue: each prompt has the history before it, and the instruction after it."""
    history = ""
    for number in range(count):
        yield ask(model, f"描述: 戴着帽子的男人 对话历史: {history}", f"用一句话回答. 问题: 第{number}个? 答案:")
        history += f"问题: 第{number}个? 答案: 这是第{number}个答案。"


def shifts(model, **more):
    """The circular shifts of a question with four options."""
    options = ["牌坊", "石碑", "城墙", "钟楼"]
    for shift in range(4):
        turned = options[shift:] + options[:shift]
        lines = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, turned, strict=True))
        yield ask(model, f"这是什么建筑?\n{lines}\n只回答字母。", **more)


def plain_sums(ranker, asked, candidates, *, count_end=True):
    """The sums by plain passes, of the same tokens."""
    inputs, suffixes = ranker._split(asked, candidates, count_end=count_end)
    return routes.plain(ranker.loaded.model, inputs, suffixes)


def apart(one, other):
    """The largest difference of two lists of sums, in nats."""
    return max(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True))


def unchecked(model, route):
    """A ranker by a route that its check may have refused."""
    ranker = LocalRanker(model, route="plain")
    ranker.route = route
    return ranker
