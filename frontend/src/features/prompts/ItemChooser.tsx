/** Chooses the accepted item with whose values a prompt is rendered, of the kinds that the prompt is for. */
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { ItemPage, PromptPreview } from "@/api/types";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import styles from "./prompts.module.css";

/** Accepted items to choose from. */
export const CHOICES = 50;

/** What was chosen; an item that is undefined is the first, null is none. */
export interface ItemChoice {
  kind: string | undefined;
  item: number | null | undefined;
  part: number;
  side: string;
}

interface ItemChooserProps {
  /** The kinds that the prompt is for. */
  kinds: readonly string[];
  /** The accepted items of the chosen kind. */
  items: { data: ItemPage | undefined; error: ApiError | null; refetch: () => unknown };
  item: number | null;
  /** The item as it was rendered. */
  of: PromptPreview["item"];
  choice: ItemChoice;
  onChoose: (choice: ItemChoice) => void;
}

export function ItemChooser({ kinds, items, item, of, choice, onChoose }: ItemChooserProps) {
  const { t } = useTranslation("prompts");
  if (choice.kind === undefined) {
    return (
      <p className={`dim ${styles.noKind}`} data-testid="no-kind">
        {t("noKind")}
      </p>
    );
  }
  const first = { item: undefined, part: 0, side: "" };
  return (
    <div className={styles.chooser}>
      <Loaded of={items}>
        {(page) => (
          <SelectField
            label={t("item")}
            value={item ?? ""}
            onChange={(event) => onChoose({ ...choice, ...first, item: event.target.value === "" ? null : Number(event.target.value) })}
            hint={page.results.length === 0 ? t("noItems", { kind: t(`ui:kind.${choice.kind}`, { defaultValue: choice.kind }) }) : undefined}
            data-testid="preview-item"
          >
            <option value="">{t("noItem")}</option>
            {item !== null && !page.results.some((row) => row.id === item) && <option value={item}>{of?.label ?? item}</option>}
            {page.results.map((row) => (
              <option key={row.id} value={row.id}>
                {row.label} {row.first_text.slice(0, 40)}
              </option>
            ))}
          </SelectField>
        )}
      </Loaded>
      {kinds.length > 1 && (
        <SelectField label={t("kind")} value={choice.kind} onChange={(event) => onChoose({ ...first, kind: event.target.value })} data-testid="preview-kind">
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`ui:kind.${kind}`, { defaultValue: kind })}
            </option>
          ))}
        </SelectField>
      )}
      {of !== null && of.parts > 1 && (
        <SelectField label={t(choice.kind === "captions" ? "caption" : "part")} value={choice.part} onChange={(event) => onChoose({ ...choice, part: Number(event.target.value) })} data-testid="preview-part">
          {Array.from({ length: of.parts }, (_, i) => (
            <option key={i} value={i}>
              {i + 1}
            </option>
          ))}
        </SelectField>
      )}
      {of !== null && of.sides.length > 1 && (
        <SelectField
          label={t("side")}
          value={choice.side === "" ? of.sides[0] : choice.side}
          onChange={(event) => onChoose({ ...choice, side: event.target.value })}
          data-testid="preview-side"
        >
          {of.sides.map((side) => (
            <option key={side} value={side}>
              {t([`sides.${side}`, side])}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}
