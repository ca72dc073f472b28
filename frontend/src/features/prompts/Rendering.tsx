/** What a model gets for an accepted item: the messages of a prompt with the item's values, which can be sent to one. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { PromptPreview, PromptVersionAnswer } from "@/api/types";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { ItemChooser, CHOICES } from "./ItemChooser";
import { FAULTS, Faults } from "./TemplateEditor";
import { TryModel } from "./TryModel";
import { useItemChoice } from "./useItemChoice";
import { faultsIn } from "./versions";
import styles from "./prompts.module.css";

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
  const [choice, choose] = useItemChoice(prompt.kinds);
  const query = { state: "accepted" as const, page_size: CHOICES, ...(choice.kind === undefined ? {} : { kind: choice.kind }) };
  const items = useRead("item_list", { path: { b: slug }, query }, { enabled: choice.kind !== undefined });
  // Until someone chooses, the first accepted item of the kind; null: none, on purpose.
  const item = choice.item === undefined ? (items.data?.results[0]?.id ?? null) : choice.item;
  const { name, language, no } = prompt;
  const body = { name, language, no, part: choice.part, side: choice.side, ...(item === null ? {} : { item }), ...(text === null ? {} : { text }) };
  const preview = useRead("prompt_preview", { path: { b: slug }, body }, { enabled: choice.kind === undefined || !items.isPending, keepLast: true });
  const faults = faultsIn(preview.error);
  return (
    <section aria-labelledby="rendering">
      <div className={styles.head}>
        <h2 id="rendering">{t("rendering")}</h2>
      </div>
      <ItemChooser kinds={prompt.kinds} items={items} item={item} of={preview.data?.item ?? null} choice={choice} onChoose={choose} />
      {faults.length > 0 ? <Faults id={FAULTS} faults={faults} onLine={onLine} /> : preview.error && <Problem error={preview.error} />}
      {preview.data && preview.error === null && <Messages preview={preview.data} language={language} />}
      {!may("answer_try") && <p className={`dim ${styles.try}`}>{t("try.notAllowed")}</p>}
      {may("answer_try") && choice.kind !== undefined && preview.data && preview.error === null && !preview.isPlaceholderData && <TryModel slug={slug} choice={body} preview={preview.data} />}
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
      <p className={`tiny ${styles.hash}`}>
        SHA-256 <span className="mono">{preview.sha256}</span>
      </p>
    </div>
  );
}
