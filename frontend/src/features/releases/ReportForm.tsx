/** Reports a mistake in a published release; links from items and samples fill in the labels. */
import { useId, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

interface ReportFormProps {
  slug: string;
  release: string;
  item: string;
  /** For people outside the team, who report about what is public alone. */
  outside?: boolean;
  /** Carried out before the report is sent. */
  before?: () => Promise<unknown>;
}

export function ReportForm({ slug, outside = false, before, ...labels }: ReportFormProps) {
  const { t } = useTranslation("releases");
  const id = useId();
  const [release, setRelease] = useState(labels.release);
  const [item, setItem] = useState(labels.item);
  const [text, setText] = useState("");
  const report = useWrite("erratum_report", {
    send: async (request) => {
      await before?.();
      return call("erratum_report", request);
    },
  });
  const canSend = text.trim() !== "" && (release.trim() !== "" || item.trim() !== "");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    report.mutate(
      { path: { b: slug }, body: { release: release.trim(), item: item.trim(), text: text.trim() } },
      {
        onSuccess: () => {
          toasts.show(t("errata.sent"));
          setText("");
        },
      },
    );
  };
  return (
    <form className="card form" onSubmit={onSubmit} data-testid="report-form">
      <h2>{t("errata.report")}</h2>
      <TextField label={t("errata.item")} hint={t(outside ? "errata.itemHintOutside" : "errata.itemHint")} value={item} maxLength={40} onChange={(event) => setItem(event.target.value)} data-testid="report-item" />
      <TextField
        label={t("errata.release")}
        hint={t(outside ? "errata.releaseHintOutside" : "errata.releaseHint")}
        value={release}
        maxLength={64}
        onChange={(event) => setRelease(event.target.value)}
        data-testid="report-release"
      />
      <div className="field">
        <label className="label" htmlFor={id}>
          {t("errata.text")}
        </label>
        <textarea
          id={id}
          className="input"
          rows={3}
          maxLength={2_000}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          data-testid="report-text"
        />
        <p className="hint" id={`${id}-hint`}>
          {t("errata.textHint")}
        </p>
      </div>
      {before && <p className="dim">{t("errata.joins")}</p>}
      {report.error && <Problem error={report.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={report.isPending} disabled={!canSend} data-testid="report-send">
          {t("errata.send")}
        </Button>
        {!canSend && <span className="dim">{t("errata.incomplete")}</span>}
      </div>
    </form>
  );
}
