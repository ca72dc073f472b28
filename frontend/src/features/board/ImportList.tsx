/** Imports an existing list of the benchmark as proposals. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import type { CategoryListRow } from "@/api/types";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

export function ImportList({ slug }: { slug: string }) {
  const { t } = useTranslation("board");
  const lists = useRead("category_list_versions", { path: { b: slug } });
  const send = useWrite("category_board_import");
  const [place, setPlace] = useState(0);
  const rows = (lists.data ?? []).filter((row) => row.origin !== "board");
  const chosen = rows[place];
  if (chosen === undefined) return null;
  const label = ({ name, version }: CategoryListRow) => t("benchmarks:lists.version", { name, version });
  return (
    <details>
      <summary>{t("decide.import")}</summary>
      <div className="form">
        <SelectField label={t("decide.importChoose")} hint={t("decide.importHint")} value={place} onChange={(event) => setPlace(Number(event.target.value))}>
          {rows.map((row, n) => (
            <option key={`${row.name} ${String(row.version)}`} value={n}>
              {label(row)}
            </option>
          ))}
        </SelectField>
        {send.error && <Problem error={send.error} />}
        <div className="row-actions">
          <Button busy={send.isPending} onClick={() => send.mutate({ path: { b: slug }, body: { name: chosen.name, version: chosen.version } }, { onSuccess: () => toasts.show(t("decide.imported", { list: label(chosen) })) })}>
            {t("decide.import")}
          </Button>
        </div>
      </div>
    </details>
  );
}
