/** What administrators do to many packages at once. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BulkAction } from "@/bulk/actions";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { PickPeople, type Chosen } from "./PickPeople";

export function usePackageActions(slug: string, kind: unknown): readonly BulkAction[] {
  const { t } = useTranslation("bulk");
  const kinds = useTrackKinds(slug, "package");
  const listed = typeof kind === "string" ? kind : (kinds[0] ?? "");
  return [
    { action: "assign", param: "person", field: (_, onChange) => <Annotator slug={slug} kind={listed} onChange={onChange} /> },
    {
      action: "revoke",
      param: "comment",
      isOptional: true,
      field: (value, onChange) => (
        <label className="field">
          <span className="label">{t("comment")}</span>
          <textarea className="input" rows={2} maxLength={500} value={value ?? ""} onChange={(event) => onChange(event.target.value)} data-testid="bulk-comment" />
        </label>
      ),
    },
  ];
}

function Annotator({ slug, kind, onChange }: { slug: string; kind: string; onChange: (id: number | undefined) => void }) {
  const { t } = useTranslation("bulk");
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  return (
    <PickPeople
      slug={slug}
      kind={kind}
      label={t("person")}
      chosen={chosen}
      single
      onChange={(people) => {
        setChosen(people);
        onChange(people[0]?.id);
      }}
      testId="bulk-person"
    />
  );
}
