/** Builds packages by a rule, and shows beforehand what the rule would make and what its inspection would mean. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { useSettled } from "@/ui/useSettled";
import { PickPeople, type Chosen } from "./PickPeople";
import { Preview } from "./Preview";
import { MIXES, newSeed, ruleOf, type Mix, type RuleForm } from "./rule";

interface BuildPackagesProps {
  slug: string;
  kinds: readonly string[];
  onClose: () => void;
}

export function BuildPackages({ slug, kinds, onClose }: BuildPackagesProps) {
  const { t } = useTranslation("packages");
  const name = useLocalised();
  const benchmark = useBenchmark(slug).data;
  const usual = inProtocol(benchmark?.protocol.content, "tracks", "package", "size");
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
  const build = useWrite("package_build", ["package_list", "package_preview", "waiting_show", "benchmark_list", "board_show", "item_list"]);
  const set = (part: Partial<RuleForm>) => {
    setForm((before) => ({ ...before, ...part }));
    // What was built belongs to the rule it was built by.
    build.reset();
  };
  const { rule, wrong } = ruleOf(form);
  const settled = useSettled(JSON.stringify(rule), 300);
  const isSettled = settled === JSON.stringify(rule);
  const asked = JSON.parse(settled) as typeof rule;
  const preview = useRead(
    "package_preview",
    { path: { b: slug }, body: asked ?? { kind: form.kind, mix: form.mix, complete_only: false } },
    { enabled: asked !== null && form.kind !== "", keepLast: true },
  );
  const says = (field: "size" | "maximum" | "seed") => (wrong.some((one) => one === field) ? t(`build.${field}Wrong`) : undefined);
  const categories = benchmark?.categories ?? [];

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (rule === null) return;
    build.mutate(
      { path: { b: slug }, body: rule },
      { onSuccess: () => setForm((before) => ({ ...before, seed: String(newSeed()) })) },
    );
  }

  return (
    <form className="card build-packages" onSubmit={submit} data-testid="build-form">
      <div className="form">
        <div>
          <h2>{t("build.title")}</h2>
          <p className="dim">{t("build.text")}</p>
        </div>
        <div className="form-row">
          <SelectField label={t("build.kind")} value={form.kind} onChange={(event) => set({ kind: event.target.value })}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`ui:kind.${one}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t("build.size")}
            inputMode="numeric"
            placeholder={typeof usual === "number" ? String(usual) : ""}
            value={form.size}
            hint={typeof usual === "number" ? t("build.sizeHint", { size: usual }) : undefined}
            wrong={says("size")}
            onChange={(event) => set({ size: event.target.value })}
            data-testid="build-size"
          />
          <TextField
            label={t("build.maximum")}
            inputMode="numeric"
            value={form.maximum}
            hint={t("build.maximumHint")}
            wrong={says("maximum")}
            onChange={(event) => set({ maximum: event.target.value })}
            data-testid="build-maximum"
          />
        </div>
        <div className="form-row">
          <SelectField
            label={t("build.mix")}
            value={form.mix}
            hint={t(`build.mixHint.${form.mix}`)}
            onChange={(event) => set({ mix: event.target.value as Mix })}
            data-testid="build-mix"
          >
            {MIXES.map((mix) => (
              <option key={mix} value={mix}>
                {t(`build.mixName.${mix}`)}
              </option>
            ))}
          </SelectField>
          <div className="build-seed">
            <TextField
              label={t("build.seed")}
              value={form.seed}
              inputMode="numeric"
              hint={t("build.seedHint")}
              wrong={says("seed")}
              onChange={(event) => set({ seed: event.target.value })}
              data-testid="build-seed"
            />
            <Button onClick={() => set({ seed: String(newSeed()) })}>{t("build.again")}</Button>
          </div>
        </div>
        {categories.length > 0 && (
          <div>
            <PickOne
              label={t("build.categories")}
              value={null}
              placeholder={t("build.anyCategory")}
              hint={t("build.categoriesHint")}
              options={categories
                .filter((one) => !form.categories.includes(one.slug))
                .map((one) => ({ value: one.slug, label: name(one.name), group: name(one.field.name), also: Object.values(one.name).join(" ") }))}
              onChange={(value) => value !== null && set({ categories: [...form.categories, value] })}
              testId="build-category"
            />
            {form.categories.length > 0 && (
              <div className="chips">
                {form.categories.map((one) => {
                  const text = name(categories.find((category) => category.slug === one)?.name) || one;
                  return (
                    <button
                      key={one}
                      type="button"
                      className="chip"
                      aria-label={t("pick.remove", { name: text })}
                      onClick={() => set({ categories: form.categories.filter((other) => other !== one) })}
                    >
                      {text} ✕
                    </button>
                  );
                })}
              </div>
            )}
          </div>
        )}
        <PickPeople
          slug={slug}
          kind={form.kind}
          label={t("build.assignees")}
          hint={t("build.assigneesHint")}
          chosen={people}
          onChange={(chosen) => {
            setPeople(chosen);
            set({ assignees: chosen.map((one) => one.id) });
          }}
          testId="build-assignees"
        />
        <label className="check">
          <input type="checkbox" checked={form.completeOnly} onChange={(event) => set({ completeOnly: event.target.checked })} />{" "}
          {t("build.completeOnly")}
        </label>
        {build.error && <Problem error={build.error} />}
        {build.data && (
          <Notice tone="good">
            <span data-testid="built">
              {t("build.made", { packages: build.data.made.length, items: build.data.items })}{" "}
              {build.data.left_over > 0 && t("build.leftOver", { number: build.data.left_over })}{" "}
              {build.data.made.map((pkg, index) => (
                <span key={pkg.id}>
                  {index > 0 && " · "}
                  <Link to={`/b/${slug}/packages/${pkg.id}`}>{pkg.label}</Link>
                </span>
              ))}
            </span>
          </Notice>
        )}
        <div className="row-actions">
          <Button look="primary" type="submit" busy={build.isPending} disabled={form.kind === "" || rule === null} data-testid="build-submit">
            {t("build.submit")}
          </Button>
          <Button onClick={onClose}>{t("ui:close")}</Button>
        </div>
      </div>
      <section className="build-preview" aria-label={t("preview.title")} aria-busy={preview.isFetching || !isSettled} data-testid="preview">
        <h2>{t("preview.title")}</h2>
        {preview.error ? <Problem error={preview.error} /> : preview.data && <Preview preview={preview.data} people={people} />}
      </section>
    </form>
  );
}
