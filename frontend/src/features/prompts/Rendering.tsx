/** What a model gets for an accepted item: the messages of a prompt with the item's values, which can be sent to one. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { PromptPreview, PromptVersionAnswer } from "@/api/types";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Faults } from "./TemplateEditor";
import { TryModel } from "./TryModel";
import { faultsIn } from "./versions";
import styles from "./prompts.module.css";

/** Accepted items to choose from. */
const CHOICES = 50;

interface RenderingProps {
  slug: string;
  prompt: PromptVersionAnswer;
  /** A changed copy; null renders the version as it is. */
  text: string | null;
  /** Leads to a line of the copy. */
  onLine?: ((line: number) => void) | undefined;
}

export function Rendering({ slug, prompt, text, onLine }: RenderingProps) {
  const { t } = useTranslation("prompts");
  const may = useMay(slug);
  const items = useRead("item_list", { path: { b: slug }, query: { state: "accepted", page_size: CHOICES } });
  const [chosen, setChosen] = useState<{ item: number | null | undefined; part: number; side: string }>({ item: undefined, part: 0, side: "" });
  // Until someone chooses, the first accepted item; null: none, on purpose.
  const item = chosen.item === undefined ? (items.data?.results[0]?.id ?? null) : chosen.item;
  const { name, language, no } = prompt;
  const body = { name, language, no, part: chosen.part, side: chosen.side, ...(item === null ? {} : { item }), ...(text === null ? {} : { text }) };
  const preview = useRead("prompt_preview", { path: { b: slug }, body }, { enabled: !items.isPending, keepLast: true });
  const shown = preview.data?.item ?? null;
  const faults = faultsIn(preview.error);
  return (
    <section aria-labelledby="rendering">
      <div className={styles.head}>
        <h2 id="rendering">{t("rendering")}</h2>
      </div>
      <Loaded of={items}>
        {(page) => (
          <div className={styles.chooser}>
            <SelectField
              label={t("item")}
              value={item ?? ""}
              onChange={(event) => setChosen({ item: event.target.value === "" ? null : Number(event.target.value), part: 0, side: "" })}
              hint={page.results.length === 0 ? t("noItems") : undefined}
              data-testid="preview-item"
            >
              <option value="">{t("noItem")}</option>
              {page.results.map((row) => (
                <option key={row.id} value={row.id}>
                  {row.label} {row.first_text.slice(0, 40)}
                </option>
              ))}
            </SelectField>
            {shown !== null && shown.parts > 1 && (
              <SelectField
                label={t("part")}
                value={chosen.part}
                onChange={(event) => setChosen({ ...chosen, part: Number(event.target.value) })}
                data-testid="preview-part"
              >
                {Array.from({ length: shown.parts }, (_, i) => (
                  <option key={i} value={i}>
                    {i + 1}
                  </option>
                ))}
              </SelectField>
            )}
            {shown !== null && shown.sides.length > 1 && (
              <SelectField
                label={t("side")}
                value={chosen.side === "" ? shown.sides[0] : chosen.side}
                onChange={(event) => setChosen({ ...chosen, side: event.target.value })}
                data-testid="preview-side"
              >
                {shown.sides.map((side) => (
                  <option key={side} value={side}>
                    {t([`sides.${side}`, side])}
                  </option>
                ))}
              </SelectField>
            )}
          </div>
        )}
      </Loaded>
      {faults.length > 0 ? <Faults faults={faults} onLine={onLine} /> : preview.error && <Problem error={preview.error} />}
      {preview.data && preview.error === null && <Messages preview={preview.data} language={language} />}
      {may("answer_try") && preview.data && preview.error === null && !preview.isPlaceholderData && <TryModel slug={slug} choice={body} preview={preview.data} />}
    </section>
  );
}

function Messages({ preview, language }: { preview: PromptPreview; language: string }) {
  const { t } = useTranslation("prompts");
  return (
    <div data-testid="messages">
      {preview.missing.length > 0 && (
        <Notice tone="warn">
          <span data-testid="missing">{t(preview.item === null ? "unfilled" : "missing", { names: preview.missing.join(t("comma")) })}</span>
        </Notice>
      )}
      {preview.messages.map((message, i) => (
        <div key={i} className={styles.message}>
          <h3>{t(`role.${message.role}`)}</h3>
          {message.parts.map((part, j) =>
            part.text === null ? (
              <p key={j} className={styles.picture}>
                {t("picture")}
              </p>
            ) : (
              <pre key={j} lang={language} tabIndex={0} aria-label={t(`role.${message.role}`)}>
                {part.text}
              </pre>
            ),
          )}
        </div>
      ))}
      <p className="tiny">
        SHA-256 <span className="mono">{preview.sha256}</span>
      </p>
    </div>
  );
}
