"""Queries about items."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, JSONObject

from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.items.errors import KindNotInProtocol
from annotation.items.models import Item, ItemRevision
from annotation.items.shapes import CategoryBrief, PictureBrief, PictureThumb, RulesRow, TextLanguage
from annotation.kinds.base import DoubledSettings, KindSettings
from annotation.kinds.context import Choice, Concept, Context, Language, Sibling
from annotation.kinds.registry import KINDS, is_doubled, label
from annotation.kinds.scripts import direction_of
from annotation.kinds.texts import first_text
from annotation.kinds.tree import RecordNode, resolve
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules import main_minimum, split_settings
from curation.images.models import Image, Rendition, current_renditions, image_label, media_url
from curation.people import access as people
from curation.people.models import Person, Team
from curation.taxonomy.models import Category
from curation.taxonomy.queries import content_of, lists_in_force
from curation.taxonomy.rules import search_strings

BEGINNING = 120  # characters that a list shows


def kinds_with_items(benchmark: Benchmark) -> list[str]:
    """The kinds of which a benchmark has items; one statement."""
    exists = {kind: Exists(Item.objects.filter(benchmark=OuterRef("pk"), kind=kind)) for kind in KINDS}
    row: Any = Benchmark.objects.filter(pk=benchmark.pk).values_list(*exists.values()).get()
    return [kind for kind, has_items in zip(exists, row, strict=True) if has_items]


def publishable(prefix: str = "", *, subset: str | None = None, shared: bool = False) -> Q:
    """The condition on pictures that may be annotated: accepted, and ticked as free of personal information.

    Args:
        prefix: The way to the picture from the rows that the condition is for.
        subset: Only pictures of this subset; None: of any and of none.
        shared: Whether the contributor's own tick is enough, as for items of teams.
    """
    ready = Q(**{f"{prefix}state": Image.State.ACCEPTED})
    clear = Q(**{f"{prefix}pii_clear_by__isnull": False})
    ready &= clear | Q(**{f"{prefix}shared_at__isnull": False}) if shared else clear
    return ready if subset is None else ready & Q(**{f"{prefix}subset": subset})


def protocol_with(benchmark: Benchmark, kind: str) -> ProtocolVersion:
    """The benchmark's current protocol, which must use a kind of work.

    Raises:
        KindNotInProtocol.
    """
    protocol = benchmark.protocol
    if protocol is None or kind not in KINDS or kind not in protocol.content.get("kinds", {}):
        raise KindNotInProtocol(kind=kind)
    return protocol


@lru_cache(maxsize=64)
def protocol_content(protocol_id: int) -> dict[str, Any]:
    """A protocol version's content; cached, because the rows never change."""
    content: dict[str, Any] = ProtocolVersion.objects.values_list("content", flat=True).get(pk=protocol_id)
    return content


def names_visible(person: Person, benchmark_id: int, protocol_id: int | None) -> bool:
    """Whether a person may see colleagues' names in work done under a protocol version.

    If a track is ``blind``, only administrators may.
    """
    return people.names_visible(person, benchmark_id, protocol_content(protocol_id) if protocol_id else None)


def kinds_open_to(person: Person, benchmark_id: int, operation: str) -> list[str]:
    """The kinds of work for which a person's roles allow an operation, whatever its reach."""
    return [kind for kind in KINDS if person.may(benchmark_id, operation, kind)]


@lru_cache(maxsize=256)
def kind_settings(protocol_id: int, kind: str) -> KindSettings:
    """The protocol's numbers for a kind.

    Raises:
        UnknownEntry: The kind does not exist.
    """
    _, own = split_settings(protocol_content(protocol_id)["kinds"][kind])
    return KINDS[kind].settings.model_validate(own)


def double_percent(protocol_id: int, kind: str) -> int:
    """The share of a kind's items, in percent, that a protocol version has done by a second person, too."""
    settings = kind_settings(protocol_id, kind)
    return settings.double_percent if isinstance(settings, DoubledSettings) else 0


@lru_cache(maxsize=64)
def categories_of(protocol_id: int) -> tuple[Choice, ...]:
    """The categories of the list that a protocol version names, as they were then; cached, because neither changes.

    A protocol from before lists had versions, which names none, has the benchmark's present categories.
    """
    if version := lists_in_force(protocol_id).get(""):
        return tuple(
            Choice(
                code=entry.slug,
                name=entry.name.model_dump(by_alias=True),
                definition=entry.definition.model_dump(by_alias=True) if entry.definition else None,
                search=tuple(search_strings(entry.slug, entry.name.model_dump(by_alias=True))),
                number=entry.number,
                field=field.slug,
            )
            for field, entry in content_of(version).entries()
        )
    rows = Category.objects.filter(benchmark__protocol_versions=protocol_id).order_by("number")
    return tuple(
        Choice(
            code=c.slug,
            name=c.name,
            definition=c.definition,
            search=tuple(c.search),
            number=c.number,
            field=c.field,
        )
        for c in rows
    )


def language_of(protocol_id: int, team_language: str) -> Language | None:
    """The language of an item's texts where each team writes in its own; None where the protocol names one for all."""
    content = protocol_content(protocol_id).get("languages", {}).get("content", "")
    return Language(team_language, direction_of(team_language)) if content == "team" else None


def tags_of_sides(protocol_id: int, team: Team | None) -> dict[str, str]:
    """The BCP 47 tag of each side of a content about a team's picture; empty where there is no such language."""
    tags = protocol_content(protocol_id).get("languages", {})
    of_team = language_of(protocol_id, team.language if team else "")
    local = of_team.tag if of_team else tags.get("content", "")
    return {"local": local, "translated": tags.get("translation") or ""}


def text_language(protocol_id: int, team: Team | None) -> TextLanguage | None:
    """The language of an item's texts as answers show it; None where the protocol names one for all items."""
    language = language_of(protocol_id, team.language if team else "")
    return {"lang": language.tag, "dir": language.direction} if language else None


@lru_cache(maxsize=1_024)
def _main_minimum(protocol_id: int, subset: str) -> int:
    """Fewest objects of a picture's main category that a subset of a protocol version asks for; 0 if it does not."""
    return main_minimum(protocol_content(protocol_id), subset)


@lru_cache(maxsize=1_024)
def _without_picture(protocol_id: int, kind: str, team_language: str) -> Context:
    """The part of a content's context that is the same for all pictures: its languages and the kind's lists."""
    tags = protocol_content(protocol_id).get("languages", {})
    content, translation = tags.get("content", ""), tags.get("translation")
    return Context(
        language_of(protocol_id, team_language) or Language(content, direction_of(content)),
        Language(translation, direction_of(translation)) if translation else None,
        categories=categories_of(protocol_id) if "categories" in KINDS[kind].needs else None,
    )


def context_of(
    protocol_id: int,
    kind: str,
    *,
    width: int,
    height: int,
    subset: str,
    category: str,
    language: str,
    concepts: Sequence[Mapping[str, Any]] = (),
    siblings: Sequence[Mapping[str, Any]] | None = None,
    base: Mapping[str, Any] | None = None,
) -> Context:
    """The context of a content of a kind under a protocol version.

    The picture's values come with the item's own statement. ``category`` is the slug of its main category, empty if it
    has none; ``language`` is that of its team, empty if it has none; ``concepts`` are
    those of the picture, ``siblings`` are rows of :func:`siblings_of`, and ``base`` is the accepted content that the
    item rests on.
    """
    others = None if siblings is None else tuple(Sibling(label(kind, s["number"]), s["content"]) for s in siblings)
    picture_independent = _without_picture(protocol_id, kind, language)
    return replace(
        picture_independent,
        width=width,
        height=height,
        subset=subset,
        main_category=category,
        main_minimum=_main_minimum(protocol_id, subset),
        concepts=tuple(_concept(c) for c in concepts) if "concepts" in KINDS[kind].needs else None,
        siblings=others,
        base=base,
    )


def _concept(row: Mapping[str, Any]) -> Concept:
    names = (row["local"], row["translated"], *row["aliases"])
    return Concept(tuple(name for name in names if name), row["noun_local"], row["noun_translated"])


def siblings_of(item: Item) -> list[dict[str, Any]] | None:
    """The other items of the kind on an item's picture, without excluded ones: ``number`` and newest ``content``.

    One statement; None, and none, for kinds that do not need them.
    """
    if "siblings" not in KINDS[item.kind].needs:
        return None
    newest = ItemRevision.objects.filter(item_id=OuterRef("pk"), no=OuterRef("revision_no")).values("content")[:1]
    others = Item.objects.filter(image_id=item.image_id, kind=item.kind, revision_no__gt=0).exclude(pk=item.pk)
    others = others.exclude(state=Item.State.EXCLUDED).order_by("number")
    return [dict(row) for row in others.values("number", content=Subquery(newest))]


def other_of_double(item: Item) -> Item | None:
    """The item on the same picture that another person does independently; one statement, none for other kinds."""
    if not is_doubled(item.kind):
        return None
    beside = Item.objects.filter(image_id=item.image_id, kind=item.kind, slot=item.slot)
    return beside.exclude(copy_no=item.copy_no).exclude(state=Item.State.EXCLUDED).order_by("pk").first()


def picture_facts(image: str) -> JSONObject:
    """The values of :func:`context_of` as JSON, for the picture whose relation's name is ``image``."""
    facts = {name: F(f"{image}__{name}") for name in ("width", "height", "subset")}
    return JSONObject(
        **facts,
        category=Coalesce(F(f"{image}__category__slug"), Value("")),
        language=Coalesce(F(f"{image}__team__language"), Value("")),
        concepts=concepts_of(f"{image}_id"),
    )


def concepts_on(kind: str, image_id: int) -> list[dict[str, Any]]:
    """The concepts of a picture as :func:`context_of` takes them; one statement, none for kinds that do not ask."""
    return concepts_of_pictures([image_id]).get(image_id, []) if "concepts" in KINDS[kind].needs else []


def concepts_of_pictures(image_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The concepts of pictures as :func:`context_of` takes them, by picture id, without those that have none."""
    images = Image.objects.filter(pk__in=image_ids, concepts__isnull=False).distinct()
    return {pk: rows for pk, rows in images.values_list("pk", concepts_of("pk")) if rows}


def concepts_of(image: str) -> ArraySubquery:
    """The concepts, as JSON, of the picture whose id is in a row's column.

    Uses the reverse relation's name, because this module may not import concepts.
    """
    of_image = Image.objects.filter(pk=OuterRef(image), concepts__isnull=False, concepts__retired_at=None)
    fields = {
        name: F(f"concepts__{name}") for name in ("local", "translated", "aliases", "noun_local", "noun_translated")
    }
    return ArraySubquery(of_image.order_by("concepts__id").values(row=JSONObject(**fields)))


@lru_cache(maxsize=1_024)
def tree_of(protocol_id: int, kind: str, language: str = "") -> RecordNode:
    """The fields of a kind's content under a protocol version; ``language`` is that of its team, if it has one."""
    context = _without_picture(protocol_id, kind, language)
    return resolve(KINDS[kind].tree(kind_settings(protocol_id, kind), context), context)


@lru_cache(maxsize=1_024)
def rules_for(protocol_id: int, kind: str, language: str = "") -> RulesRow:
    """The rules of a kind as the workspace shows them; callers share the cached dictionary and must not change it.

    ``language`` is that of the team whose item is shown, empty if it has none or if items of several teams are shown.
    """
    context = _without_picture(protocol_id, kind, language)
    rules = KINDS[kind].rules(kind_settings(protocol_id, kind), context)
    return rules.model_dump(mode="json")


def beginning(protocol_id: int | None, kind: str, newest: Mapping[str, Any] | None, language: str = "") -> str:
    """The beginning of a revision's first text, for lists; empty before the first revision.

    Args:
        protocol_id: The benchmark's protocol version.
        kind: The item's kind.
        newest: The revision, from :func:`newest_revision`.
        language: As in :func:`context_of`.
    """
    if newest is None or protocol_id is None:
        return ""
    return first_text(tree_of(protocol_id, kind, language), newest["content"])[:BEGINNING]


def with_pictures(rows: QuerySet[Any], image: str) -> QuerySet[Any]:
    """Add ``renditions`` to rows whose column ``image`` has the picture's id, within the same statement."""
    of_image = Rendition.objects.filter(current_renditions(), image_id=OuterRef(image)).order_by()
    renditions = ArraySubquery(of_image.values(row=JSONObject(id="id", role="role", key="key")))
    annotated: QuerySet[Any] = rows.annotate(renditions=renditions)
    return annotated


def newest_revision(item: str, no: str) -> Subquery:
    """The revision with the item id and number in a row's columns, as JSON."""
    revisions = ItemRevision.objects.filter(item_id=OuterRef(item), no=OuterRef(no))
    fields = JSONObject(
        content="content",
        findings="findings",
        reasons="reasons",
        origin="origin",
        author_id="author_id",
        author_name=F("author__name"),
        created_at="created_at",
    )
    return Subquery(revisions.values(row=fields)[:1])


def comments_on(item: str) -> Subquery:
    """The number of comments on the item whose id is in a row's column.

    Uses the reverse relation's name, because this module may not import comments.
    """
    return Subquery(Item.objects.filter(pk=OuterRef(item)).values(n=Count("comments")))


def guidelines_read(benchmark: str, kind: str, person: Any) -> ArraySubquery:
    """The guidelines of a row's kind, newest first, as JSON: ``id``, ``version``, ``acknowledged`` by a person.

    Args:
        benchmark: The row's column with the benchmark's id.
        kind: The row's column with the kind.
        person: The person's id, or an expression.
    """
    read = Acknowledgement.objects.filter(guideline_id=OuterRef("pk"), person_id=person)
    versions = Guideline.objects.filter(benchmark_id=OuterRef(benchmark), kind=OuterRef(kind)).order_by("-version")
    return ArraySubquery(versions.values(row=JSONObject(id="id", version="version", acknowledged=Exists(read))))


def picture(image: Image, renditions: list[dict[str, Any]]) -> PictureBrief:
    """A picture as the workspace shows it, with its current files."""
    urls = {r["role"]: media_url(image.pk, r["id"], r["role"], r["key"]) for r in renditions}
    return {
        "id": image.pk,
        "label": image_label(image.number),
        "view_url": urls.get("view", ""),
        "thumb_url": urls.get("thumb", ""),
        "clean_url": urls.get("clean", ""),
        "width": image.width,
        "height": image.height,
        "redaction_no": image.redaction_no,
        "category": _category(image),
    }


def thumbnail(image: Image, renditions: list[dict[str, Any]]) -> PictureThumb:
    """A picture as lists show it."""
    urls = {r["role"]: media_url(image.pk, r["id"], r["role"], r["key"]) for r in renditions if r["role"] == "thumb"}
    return {
        "id": image.pk,
        "label": image_label(image.number),
        "thumb_url": urls.get("thumb", ""),
        "category": _category(image),
    }


def _category(image: Image) -> CategoryBrief | None:
    category = image.category
    return {"slug": category.slug, "name": category.name} if category else None
