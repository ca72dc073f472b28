"""A benchmark whose calls go to a model server of this machine, with an offer and a budget."""

from __future__ import annotations

from decimal import Decimal

from curation.benchmarks.models import Benchmark
from curation.calls import services
from curation.calls.models import Budget, Call, Offer
from curation.people.models import Person
from curation.wire.text import TextDecoding, TextRequest, TextTurn
from tests.people import Role, person

#: With ten tokens at most a call costs at most 0.01, and 0.005 as the server answers.
MOST = 10
PRICE = {"currency": "USD", "million_in": 0, "million_out": 1000, "per_picture": 0}


def new_benchmark(slug: str = "calls") -> Benchmark:
    return Benchmark.objects.create(slug=slug, title={"zh-Hans": "测", "zh-Hant": "測", "en": "T"})


def offer(owner: Person | None = None, model: str = "m", **price: object) -> Offer:
    owner = owner or Person.objects.filter(username="payer").first() or person("payer", None, Role.OWNER)
    return Offer.objects.create(server="big", model=model, added_by=owner, **PRICE | price)


def budget(benchmark: Benchmark, ceiling: str = "1") -> Budget:
    return Budget.objects.create(benchmark=benchmark, currency="USD", ceiling=Decimal(ceiling))


def request(text: str = "你好", max_tokens: int = MOST) -> TextRequest:
    return TextRequest(turns=(TextTurn(role="user", text=text),), decoding=TextDecoding(max_tokens=max_tokens))


def ask(benchmark: Benchmark, text: str = "你好", **more: object) -> Call:
    return services.ask_text(request(text), benchmark_id=benchmark.pk, purpose="test", server="big", model="m", **more)
