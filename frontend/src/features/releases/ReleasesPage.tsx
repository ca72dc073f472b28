/** The benchmark's releases, newest first, and beginning a new draft. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { newClientKey } from "@/api/client";
import { useList, useWrite } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { KIND_NAMES } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/Field";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import "./releases.css";

export function ReleasesPage() {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const may = useMay(slug);
  const format = useFormat();
  const [drafting, setDrafting] = useState(false);
  const list = useList("release_list", { path: { b: slug } });
  const begin = may("release_create") && !drafting && (
    <Button look="primary" onClick={() => setDrafting(true)} data-testid="new-release">
      {t("new")}
    </Button>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={begin}>
      {drafting && <NewRelease slug={slug} onClose={() => setDrafting(false)} />}
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            !drafting && (
              <Empty title={t("empty.title")} actions={begin}>
                {t("empty.text")}
              </Empty>
            )
          ) : (
            <>
              <WideTable label={t("title")}>
                <table className="table" data-testid="releases">
                  <thead>
                    <tr>
                      <th scope="col">{t("column.release")}</th>
                      <th scope="col">{t("column.state")}</th>
                      <th scope="col" className="number">
                        {t("column.images")}
                      </th>
                      <th scope="col" className="number">
                        {t("column.items")}
                      </th>
                      <th scope="col">{t("column.digest")}</th>
                      <th scope="col">{t("column.when")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.rows.map((release) => (
                      <tr key={release.id} data-testid={`release-${release.label}`}>
                        <td>
                          <Link to={`/b/${slug}/releases/${release.id}`}>{release.label}</Link>{" "}
                          <span className="dim">{t(`ui:kind.${release.kind}`)}</span>
                        </td>
                        <td>
                          <Chip tone={release.state === "frozen" ? "good" : undefined}>
                            {t(`ui:releaseState.${release.state}`)}
                          </Chip>
                        </td>
                        <td className="number">{format.number(release.images)}</td>
                        <td className="number">{format.number(release.items)}</td>
                        <td className="mono" title={release.digest ?? undefined}>
                          {release.digest?.slice(0, 12) ?? <span className="faint">—</span>}
                        </td>
                        <td className="dim">
                          <Time at={release.frozen_at ?? release.created_at} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </WideTable>
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function NewRelease({ slug, onClose }: { slug: string; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const navigate = useNavigate();
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((kind) => KIND_NAMES.includes(kind));
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [seed, setSeed] = useState("");
  const [key] = useState(newClientKey);
  const create = useWrite("release_create", ["release_list", "benchmark_list"]);
  const given = seed.trim();
  const wrong = given !== "" && !/^\d{1,18}$/.test(given);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (wrong) return;
    create.mutate(
      { path: { b: slug }, body: { kind, client_key: key, ...(given === "" ? {} : { seed: given }) } },
      { onSuccess: (release) => void navigate(`/b/${slug}/releases/${release.id}`) },
    );
  }
  return (
    <form className="card form releases-new" onSubmit={submit} data-testid="release-form">
      <h2>{t("draft.title")}</h2>
      <p className="dim">{t("draft.text")}</p>
      <div className="form-row">
        <SelectField label={t("draft.kind")} value={kind} onChange={(event) => setKind(event.target.value)}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t(`ui:kind.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("draft.seed")}
          inputMode="numeric"
          value={seed}
          hint={t("draft.seedHint")}
          wrong={wrong ? t("draft.seedWrong") : undefined}
          onChange={(event) => setSeed(event.target.value)}
          data-testid="release-seed"
        />
      </div>
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button
          look="primary"
          type="submit"
          busy={create.isPending}
          disabled={kind === ""}
          data-testid="create-release"
        >
          {t("draft.submit")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
