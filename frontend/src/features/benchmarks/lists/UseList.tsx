/** Taking the categories of a benchmark, or the values of a further dimension, from a list: the next version of its protocol. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useWrite } from "@/api/queries";
import type { CategoryListRow, Localised } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { freeCode } from "../boardSettings";
import styles from "./lists.module.css";

interface UseListProps {
  slug: string;
  row: CategoryListRow;
}

interface Axis {
  code: string;
  name: Localised;
}

const NEW: Localised = { "zh-Hans": "", "zh-Hant": "", en: "" };

export function UseList({ slug, row }: UseListProps) {
  const { t } = useTranslation("benchmarks");
  const benchmark = useBenchmark(slug);
  const use = useWrite("category_list_use");
  const [asks, setAsks] = useState<"categories" | "dimension" | null>(null);
  const base = benchmark.data?.protocol.version;
  if (base === undefined) return null;
  const finish = (axis: Axis | null) =>
    use.mutate(
      { path: { b: slug, name: row.name, version: row.version }, body: { base_version: base, axis } },
      {
        onSuccess: (adopted) => {
          setAsks(null);
          toasts.show(t("lists.used", { version: adopted.version }));
        },
      },
    );
  const asking = { next: base + 1, row, error: use.error && <Problem error={use.error} />, isBusy: use.isPending, onCancel: () => setAsks(null) };
  if (asks === "dimension") return <AskDimension {...asking} axes={benchmark.data?.axes ?? []} onUse={finish} />;
  const usesBoard = inProtocol(benchmark.data?.protocol.content, "taxonomy", "list", "board") === true;
  if (asks === "categories") return <AskCategories {...asking} leavesBoard={usesBoard} onUse={() => finish(null)} />;
  return (
    <div className="row-actions">
      {!row.in_use && (
        <Button onClick={() => setAsks("categories")} data-testid="use-list">
          {t("lists.use")}
        </Button>
      )}
      {row.origin !== "board" && !row.in_use && (
        <Button onClick={() => setAsks("dimension")} data-testid="use-dimension">
          {t("lists.useAsDimension")}
        </Button>
      )}
    </div>
  );
}

interface AskingProps {
  /** The version of the protocol that it will be. */
  next: number;
  row: CategoryListRow;
  error: React.ReactNode;
  isBusy: boolean;
  onCancel: () => void;
}

interface AskCategoriesProps extends AskingProps {
  /** Whether the board decides on the categories until then. */
  leavesBoard: boolean;
  onUse: () => void;
}

function AskCategories({ next, row: { name, version }, leavesBoard, error, isBusy, onCancel, onUse }: AskCategoriesProps) {
  const { t } = useTranslation("benchmarks");
  return (
    <div className="form">
      <p>{t("lists.useAsk", { next, name, version })}</p>
      {leavesBoard && <Notice tone="warn">{t("lists.leavesBoard")}</Notice>}
      {error}
      <div className="row-actions">
        <Button look="primary" busy={isBusy} onClick={onUse} data-testid="use-list-confirm">
          {t("lists.use")}
        </Button>
        <Button onClick={onCancel}>{t("ui:cancel")}</Button>
      </div>
    </div>
  );
}

/** Which dimension: a new one with its name, or one that there is, which then has the values of this list. */
function AskDimension({ next, row, error, isBusy, onCancel, axes, onUse }: AskingProps & { axes: readonly Axis[]; onUse: (axis: Axis) => void }) {
  const { t } = useTranslation("benchmarks");
  const localised = useLocalised();
  const [code, setCode] = useState("");
  const [name, setName] = useState(NEW);
  const [tried, setTried] = useState(false);
  const known = axes.find((axis) => axis.code === code);
  const missing = known ? [] : LANGUAGES.filter((language) => name[language].trim() === "");
  const finish = () => {
    setTried(true);
    if (missing.length > 0) return;
    onUse(known ? { code, name: known.name } : { code: freeCode(name.en, new Set(axes.map((axis) => axis.code)), "dimension"), name });
  };
  return (
    <div className={`form ${styles.asking}`} data-testid="dimension-form">
      <p>{t("lists.dimensionAsk", { next, name: row.name, version: row.version })}</p>
      {axes.length > 0 && (
        <SelectField label={t("lists.dimension")} value={code} onChange={(event) => setCode(event.target.value)} data-testid="dimension">
          <option value="">{t("lists.newDimension")}</option>
          {axes.map((axis) => (
            <option key={axis.code} value={axis.code}>
              {localised(axis.name)}
            </option>
          ))}
        </SelectField>
      )}
      {!known && (
        <div className="form-row">
          {LANGUAGES.map((language) => (
            <TextField
              key={language}
              label={t("lists.dimensionName", { language: LANGUAGE_NAMES[language] })}
              lang={language}
              value={name[language]}
              maxLength={120}
              wrong={tried && missing.includes(language) ? t("create.titleMissing") : undefined}
              onChange={(event) => setName({ ...name, [language]: event.target.value })}
              data-testid={`dimension-${language}`}
            />
          ))}
        </div>
      )}
      {error}
      <div className="row-actions">
        <Button look="primary" busy={isBusy} onClick={finish} data-testid="use-dimension-confirm">
          {t("lists.useAsDimension")}
        </Button>
        <Button onClick={onCancel}>{t("ui:cancel")}</Button>
      </div>
    </div>
  );
}
