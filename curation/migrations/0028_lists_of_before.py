"""The categories that benchmarks have are stored as versions of the lists that their protocols name."""

import hashlib
import json

from django.db import migrations


def _entry(category):
    entry = {"slug": category.slug, "number": category.number, "name": category.name}
    optional = {"short": category.short_name, "definition": category.definition, "group": category.distance}
    return entry | {key: value for key, value in optional.items() if value}


def _content(name, categories):
    """The form of ``curation.taxonomy.rules.CategoryList``; where the categories come from was not stored."""
    fields = {}
    for category in categories:
        field = {"slug": category.field, "name": category.field_name, "categories": []}
        fields.setdefault(category.field, field)["categories"].append(_entry(category))
    return {"name": name, "source": "", "fields": list(fields.values())}


def store(apps, _):
    """Store one version for each different content, and note it for every version of the protocol."""
    versions = apps.get_model("curation", "CategoryListVersion")
    noted = apps.get_model("curation", "ProtocolList")
    for benchmark in apps.get_model("curation", "Benchmark").objects.order_by("pk"):
        categories = list(apps.get_model("curation", "Category").objects.filter(benchmark=benchmark).order_by("number"))
        protocols = apps.get_model("curation", "ProtocolVersion").objects.filter(benchmark=benchmark)
        if not categories:
            continue
        for protocol in protocols.filter(lists=None).order_by("pk"):
            name = (protocol.content.get("taxonomy") or {}).get("list")
            if not isinstance(name, str):
                continue
            content = _content(name, categories)
            sha256 = hashlib.sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
            same_name = versions.objects.filter(benchmark=None, name=name).order_by("-version")
            version = same_name.filter(sha256=sha256).first()
            if version is None:
                newest = same_name.first()
                version = versions.objects.create(
                    name=name,
                    version=newest.version + 1 if newest else 1,
                    sha256=sha256,
                    content=content,
                    origin="shipped",
                )
            noted.objects.create(protocol=protocol, axis="", list=version)


class Migration(migrations.Migration):
    dependencies = [("curation", "0027_proposal_failed")]

    operations = [migrations.RunPython(store, migrations.RunPython.noop)]
