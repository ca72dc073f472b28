/** An owner's word: fetch this revision. Code is allowed for one full commit, after saying so. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { SystemDetail } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { isCommit } from "./states";
import styles from "./systems.module.css";

/** What is fetched where no revision is named. */
const MAIN_BRANCH = "main";

export function FetchForm({ system, onClose }: { system: SystemDetail; onClose: () => void }) {
  const { t } = useTranslation("systems");
  const [revision, setRevision] = useState("");
  const [code, setCode] = useState(false);
  const fetch = useWrite("system_fetch");
  const trimmed = revision.trim();
  const isCommitMissing = code && !isCommit(trimmed);
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    fetch.mutate(
      {
        path: { slug: system.slug },
        body: { allow_code: code, ...(trimmed === "" ? {} : { revision: trimmed }) },
      },
      {
        onSuccess: onClose,
      },
    );
  };
  return (
    <form className={`card form ${styles.systemForm}`} onSubmit={onSubmit} data-testid="fetch-form">
      <h2>{t("fetch.title", { hub: system.hub_id })}</h2>
      <p className="dim">{t("fetch.text")}</p>
      <TextField
        label={t("fetch.revision")}
        hint={t("fetch.revisionHint")}
        wrong={isCommitMissing ? t("fetch.needsCommit") : undefined}
        value={revision}
        placeholder={MAIN_BRANCH}
        spellCheck={false}
        autoComplete="off"
        maxLength={64}
        onChange={(event) => setRevision(event.target.value)}
        data-testid="fetch-revision"
      />
      <label className={styles.systemCode}>
        <input type="checkbox" checked={code} onChange={(event) => setCode(event.target.checked)} data-testid="fetch-code" />
        <span>{t("fetch.code")}</span>
      </label>
      {code && <Notice tone="warn">{t("fetch.codeText")}</Notice>}
      {fetch.error && <Problem error={fetch.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={fetch.isPending} disabled={isCommitMissing} data-testid="fetch-confirm">
          {t("fetch.confirm")}
        </Button>
        <Button look="plain" onClick={onClose}>
          {t("fetch.cancel")}
        </Button>
      </div>
    </form>
  );
}
