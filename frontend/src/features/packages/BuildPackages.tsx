/** Builds packages from accepted pictures that have no package of the kind yet. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { newClientKey } from "@/api/client";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";

interface BuildPackagesProps {
  slug: string;
  kinds: readonly string[];
  onClose: () => void;
}

export function BuildPackages({ slug, kinds, onClose }: BuildPackagesProps) {
  const { t } = useTranslation("packages");
  const protocol = useBenchmark(slug).data?.protocol.content;
  const usual = inProtocol(protocol, "tracks", "package", "size");
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [size, setSize] = useState("");
  const [seed, setSeed] = useState("");
  const [completeOnly, setCompleteOnly] = useState(false);
  const [key, setKey] = useState(newClientKey);
  const build = useWrite("package_build", ["package_list", "waiting_show", "benchmark_list"]);
  const number = size.trim() === "" ? null : Number(size);
  const wrongSize = number !== null && !(Number.isInteger(number) && number >= 1 && number <= 1000);
  const drawn = seed.trim() === "" ? null : Number(seed);
  const wrongSeed = drawn !== null && !(Number.isSafeInteger(drawn) && drawn >= 0);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (wrongSize || wrongSeed) return;
    build.mutate(
      {
        path: { b: slug },
        body: {
          kind,
          client_key: key,
          ...(number === null ? {} : { size: number }),
          ...(drawn === null ? {} : { seed: drawn }),
          complete_only: completeOnly,
        },
      },
      { onSuccess: () => setKey(newClientKey()) },
    );
  }

  return (
    <form className="card form build-packages" onSubmit={submit} data-testid="build-form">
      <h2>{t("build.title")}</h2>
      <p className="dim">{t("build.text")}</p>
      <div className="form-row">
        <SelectField label={t("build.kind")} value={kind} onChange={(event) => setKind(event.target.value)}>
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
          value={size}
          hint={typeof usual === "number" ? t("build.sizeHint", { size: usual }) : undefined}
          wrong={wrongSize ? t("build.sizeWrong") : undefined}
          onChange={(event) => setSize(event.target.value)}
          data-testid="build-size"
        />
        <TextField
          label={t("build.seed")}
          value={seed}
          inputMode="numeric"
          hint={t("build.seedHint")}
          wrong={wrongSeed ? t("build.seedWrong") : undefined}
          onChange={(event) => setSeed(event.target.value)}
        />
      </div>
      <label className="check">
        <input type="checkbox" checked={completeOnly} onChange={(event) => setCompleteOnly(event.target.checked)} />{" "}
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
        <Button look="primary" type="submit" busy={build.isPending} disabled={kind === ""} data-testid="build-submit">
          {t("build.submit")}
        </Button>
        <Button onClick={onClose}>{t("ui:close")}</Button>
      </div>
    </form>
  );
}
