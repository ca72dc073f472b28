/** Builds packages by a rule, and shows beforehand what the rule would make and what its inspection would mean. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answer } from "@/api/request";
import { useRead, useWrite } from "@/api/queries";
import type { BuildRule } from "@/api/types";
import { useMay } from "@/api/session";
import { useDebounced } from "@/api/useDebounced";
import { Button, ButtonLink } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { BuildFields } from "./BuildFields";
import { PickPeople, type Chosen } from "./PickPeople";
import { Preview } from "./Preview";
import { newSeed, ruleOf, type RuleForm } from "./rule";
import styles from "./packages.module.css";

interface BuildPackagesProps {
  slug: string;
  kinds: readonly string[];
  onClose: () => void;
}

export function BuildPackages({ slug, kinds, onClose }: BuildPackagesProps) {
  const { t } = useTranslation("packages");
  const [form, setForm] = useState<RuleForm>(() => ({
    kind: kinds[0] ?? "",
    size: "",
    mix: "shuffled",
    categories: [],
    maximum: "",
    seed: String(newSeed()),
    completeOnly: false,
    assignees: [],
  }));
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  const build = useWrite("package_build");
  const change = (part: Partial<RuleForm>) => {
    setForm((before) => ({ ...before, ...part }));
    // What was built belongs to the rule it was built by.
    build.reset();
  };
  const { rule, wrong } = ruleOf(form);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (rule === null) return;
    build.mutate(
      { path: { b: slug }, body: rule },
      { onSuccess: () => setForm((before) => ({ ...before, seed: String(newSeed()) })) },
    );
  }

  return (
    <form className={`card ${styles.buildPackages}`} onSubmit={submit} data-testid="build-form">
      <div className="form">
        <div>
          <h2>{t("build.title")}</h2>
          <p className="dim">{t("build.text")}</p>
        </div>
        <BuildFields slug={slug} kinds={kinds} form={form} wrong={wrong} onChange={change} />
        <GuidelineMissing slug={slug} kind={form.kind} />
        <PickPeople
          slug={slug}
          kind={form.kind}
          label={t("build.assignees")}
          hint={t("build.assigneesHint")}
          chosen={people}
          onChange={(chosen) => {
            setPeople(chosen);
            change({ assignees: chosen.map((one) => one.id) });
          }}
          testId="build-assignees"
        />
        <label className="check">
          <input type="checkbox" checked={form.completeOnly} onChange={(event) => change({ completeOnly: event.target.checked })} />{" "}
          {t("build.completeOnly")}
        </label>
        {build.error && <Problem error={build.error} />}
        {build.data && <BuiltPackages built={build.data} slug={slug} />}
        <div className="row-actions">
          <Button look="primary" type="submit" busy={build.isPending} disabled={form.kind === "" || rule === null} data-testid="build-submit">
            {t("build.submit")}
          </Button>
          <Button onClick={onClose}>{t("ui:close")}</Button>
        </div>
      </div>
      <RulePreview slug={slug} form={form} rule={rule} people={people} />
    </form>
  );
}

/** Warns before annotators start on a kind that has no guidelines. */
function GuidelineMissing({ slug, kind }: { slug: string; kind: string }) {
  const { t } = useTranslation("packages");
  const may = useMay(slug);
  const guidelines = useRead("guideline_list", { path: { b: slug } }, { enabled: may("guideline_list") });
  const missing = guidelines.data?.find((row) => row.kind === kind && row.version === null);
  if (missing === undefined) return null;
  return (
    <Notice tone="warn" action={may("guideline_add") && <ButtonLink small to={`/b/${slug}/guidelines/${kind}/edit`}>{t("build.writeGuideline")}</ButtonLink>}>
      <span data-testid="guideline-missing">
        {t("build.guidelineMissing", { kind: t(`ui:kind.${kind}`) })}<Gap />{missing.has_preset && t("build.guidelinePreset")}
      </span>
    </Notice>
  );
}

function BuiltPackages({ built, slug }: { built: Answer<"package_build">; slug: string }) {
  const { t } = useTranslation("packages");
  return (
    <Notice tone="good">
      <span data-testid="built">
        {t("build.made", { packages: built.made.length, items: built.items })}<Gap />{built.left_over > 0 && t("build.leftOver", { count: built.left_over })}<Gap />
        {built.made.map((pkg, index) => (
          <span key={pkg.id}>
            {index > 0 && " · "}
            <Link to={`/b/${slug}/packages/${pkg.id}`}>{pkg.label}</Link>
          </span>
        ))}
      </span>
    </Notice>
  );
}

interface RulePreviewProps {
  slug: string;
  form: RuleForm;
  /** Null while a field holds no usable number. */
  rule: BuildRule | null;
  people: readonly Chosen[];
}

/** Previews what the rule would build, once the typing pauses. */
function RulePreview({ slug, form, rule, people }: RulePreviewProps) {
  const { t } = useTranslation("packages");
  // The rule is a new object at every render; its JSON can be compared.
  const text = JSON.stringify(rule);
  const settled = useDebounced(text, 300);
  const settledRule = JSON.parse(settled) as BuildRule | null;
  const preview = useRead(
    "package_preview",
    { path: { b: slug }, body: settledRule ?? { kind: form.kind, mix: form.mix, complete_only: false } },
    { enabled: settledRule !== null && form.kind !== "", keepLast: true },
  );
  return (
    <section className={styles.buildPreview} aria-label={t("preview.title")} aria-busy={preview.isFetching || settled !== text} data-testid="preview">
      <h2>{t("preview.title")}</h2>
      {preview.error ? <Problem error={preview.error} /> : preview.data && <Preview slug={slug} preview={preview.data} people={people} />}
    </section>
  );
}
