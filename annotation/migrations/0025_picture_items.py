"""What a build needs is found without reading every item and picture.

Items know whether a package holds them, and each picture how many items of each kind it has.
"""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

_READY = "i.state = 'accepted' and i.pii_clear_by_id is not null"


def _rows(images, benchmarks):
    """Insert the rows of pictures for the kinds of their benchmarks' protocols that have none yet."""
    return f"""
        insert into annotation_pictureitems (image_id, kind, benchmark_id, subset, ready, items)
        select i.id, k.kind, i.benchmark_id, i.subset, {_READY},
               (select count(*) from annotation_item t where t.benchmark_id = i.benchmark_id and t.kind = k.kind
                and t.image_id = i.id and t.excluded_for not in ('discard', 'decision'))
        from {images} i join {benchmarks} b on b.id = i.benchmark_id
        join curation_protocolversion p on p.id = b.protocol_id
        cross join lateral jsonb_object_keys(coalesce(p.content->'kinds', '{{}}')) as k (kind)
        where not exists (select from annotation_pictureitems e where e.image_id = i.id and e.kind = k.kind)
        on conflict do nothing;
    """


# Pictures and benchmarks belong to a lower app, which knows nothing of items. Who adds pictures or items, or adopts a
# protocol, has locked the benchmark, so that no picture misses a row.
PICTURES = f"""
    create function annotation_picture_items_new() returns trigger language plpgsql as $$ begin
    {_rows("new_rows", "curation_benchmark")} return null; end $$;
    create trigger annotation_picture_items_new after insert on curation_image referencing new table as new_rows
    for each statement execute function annotation_picture_items_new();

    create function annotation_picture_items_moved() returns trigger language plpgsql as $$ begin
    update annotation_pictureitems p set subset = i.subset, ready = {_READY} from new_rows i
    where p.image_id = i.id and (p.subset, p.ready) is distinct from (i.subset, {_READY}); return null; end $$;
    create trigger annotation_picture_items_moved after update on curation_image referencing new table as new_rows
    for each statement execute function annotation_picture_items_moved();

    create function annotation_picture_items_protocol() returns trigger language plpgsql as $$ begin
    {_rows("curation_image", "(select new.id as id, new.protocol_id as protocol_id)")} return null; end $$;
    create trigger annotation_picture_items_protocol after update of protocol_id on curation_benchmark
    for each row when (new.protocol_id is distinct from old.protocol_id)
    execute function annotation_picture_items_protocol();
"""
DROP_PICTURES = "".join(
    f"drop function annotation_picture_items_{name}() cascade;" for name in ("new", "moved", "protocol")
)
# What is there already.
FILL = f"""
    {_rows("curation_image", "curation_benchmark")}
    update annotation_item i set packed = true from annotation_packageitem m where m.item_id = i.id and m.active;
"""
# Most pictures have their items of one kind and none of another. Without these statistics PostgreSQL expects half of all
# pictures in a build of the first, and reads them.
STATISTICS = """
    create statistics annotation_picture_items (mcv) on benchmark_id, kind, items, subset, ready
    from annotation_pictureitems;
    analyze annotation_pictureitems;
    analyze annotation_item;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0024_bulk_previews"),
        ("curation", "0021_mailed_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="PictureItems",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "image_id", "kind", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "benchmark",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="curation.benchmark",
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="curation.image",
                    ),
                ),
                ("kind", models.CharField(max_length=24)),
                ("subset", models.CharField(max_length=1)),
                ("ready", models.BooleanField()),
                ("items", models.IntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="item",
            name="packed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=models.Q(("packed", False), ("state__in", ["todo", "returned"])),
                fields=["benchmark", "kind", "number"],
                name="item_unpacked",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_new",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="update annotation_pictureitems p set items = p.items + k.n from (select image_id, kind, count(*) as n from new_rows where excluded_for not in ('discard', 'decision') group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="47ede80330a287b3620c93b70d18707c7667faf4",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_picture_items_new_b21a4",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_gone",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="update annotation_pictureitems p set items = p.items - k.n from (select image_id, kind, count(*) as n from old_rows where excluded_for not in ('discard', 'decision') group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="144d611c4f7f3ea3dd3e3738245c240cb57b3f2c",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_picture_items_gone_ce56d",
                    referencing="REFERENCING OLD TABLE AS old_rows ",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_moved",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."excluded_for" IS DISTINCT FROM (OLD."excluded_for"))',
                    func="update annotation_pictureitems set items = items + case when new.excluded_for in ('discard', 'decision') then 0 else 1 end - case when old.excluded_for in ('discard', 'decision') then 0 else 1 end where image_id = new.image_id and kind = new.kind; return null;",
                    hash="f71e3e539ef5fad6381f034277313a5def686364",
                    operation='UPDATE OF "excluded_for"',
                    pgid="pgtrigger_picture_items_moved_05a6b",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="packageitem",
            trigger=pgtrigger.compiler.Trigger(
                name="packed_new",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="update annotation_item i set packed = true from new_rows n where i.id = n.item_id and n.active; return null;",
                    hash="3079c35c1fcc817075349f85fa486a85d4366661",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_packed_new_7d76a",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotation_packageitem",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="packageitem",
            trigger=pgtrigger.compiler.Trigger(
                name="packed_moved",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."active" IS DISTINCT FROM (OLD."active"))',
                    func="update annotation_item set packed = new.active where id = new.item_id; return null;",
                    hash="31f8c5817188914db22126327e80d3af00922f4a",
                    operation='UPDATE OF "active"',
                    pgid="pgtrigger_packed_moved_77ae7",
                    table="annotation_packageitem",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="packageitem",
            trigger=pgtrigger.compiler.Trigger(
                name="packed_gone",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."active")',
                    func="update annotation_item set packed = false where id = old.item_id; return null;",
                    hash="37820160d13d9e6a4319d31d5302d61fb189a041",
                    operation="DELETE",
                    pgid="pgtrigger_packed_gone_05b65",
                    table="annotation_packageitem",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="pictureitems",
            index=models.Index(
                condition=models.Q(("ready", True)),
                fields=["benchmark", "kind", "items", "subset", "image"],
                name="picture_items_ready",
            ),
        ),
        migrations.RunSQL(STATISTICS, "drop statistics if exists annotation_picture_items"),
        migrations.RunSQL(PICTURES, DROP_PICTURES),
    ]
