"""Vectors that were computed from a destroyed file can be erased, and nothing else of the append-only tables."""

from django.db import migrations

# The application's role cannot delete from these tables; the function runs as their owner, for destroyed files only.
ERASE = """
    create function erase_vectors(destroyed bigint) returns integer
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
        digest text;
        features integer;
        predictions integer;
    begin
        if not exists (select from curation_destruction where rendition_id = destroyed) then
            raise exception using errcode = 'restrict_violation', message = 'this file is not destroyed';
        end if;
        select sha256 into digest from curation_rendition where id = destroyed;
        perform set_config('pgtrigger.ignore', (
            select array_agg(tgname)::text from pg_trigger
            where tgrelid in ('evaluation_feature'::regclass, 'evaluation_prediction'::regclass)
              and tgname like 'pgtrigger\\_append\\_only\\_%'), true);
        delete from evaluation_feature where input_sha256 = digest;
        get diagnostics features = row_count;
        delete from evaluation_prediction p
        where p.vector is not null and p.value->>'rendition' = destroyed::text and p.item_id in (
            select i.id from annotation_item i join curation_rendition f on f.image_id = i.image_id
            where f.id = destroyed);
        get diagnostics predictions = row_count;
        perform set_config('pgtrigger.ignore', '{}', true);
        return features + predictions;
    end $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0012_crews"),
        ("curation", "0022_covering"),
    ]

    operations = [migrations.RunSQL(ERASE, "drop function erase_vectors(bigint)")]
