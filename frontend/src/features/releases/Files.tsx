/** The files of a release by format, with what is needed to check a download. Withheld answers are listed separately. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Notice } from "@/ui/Notice";
import { toasts } from "@/ui/toasts";
import { WideTable } from "@/ui/WideTable";
import { groupFiles, total, type ReleaseFile } from "./files";
import styles from "./releases.module.css";

/** Bytes of a chart that is drawn on the page. */
const LARGEST_DRAWING = 200_000;

export function Files({ release, mayDownload, mayReadKeys }: { release: ReleaseDetail; mayDownload: boolean; mayReadKeys: boolean }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  if (release.files.length === 0) return null;
  const { groups, keys } = groupFiles(release.files, release.formats);
  const canDownload = mayDownload && release.state !== "withdrawn";
  return (
    <section className="card" aria-labelledby="files" data-testid="files">
      <h2 id="files">
        {t("files.title")}{" "}
        <span className="dim number">{t("files.sum", { count: release.files.length, size: format.bytes(total(release.files)) })}</span>
      </h2>
      <p className="dim">{t(release.state === "withdrawn" ? "files.withdrawn" : mayDownload ? "files.text" : "files.viewOnly")}</p>
      {release.archive !== null && canDownload && (
        <p className={styles.fileArchive} data-testid="archive">
          <a className="button button-primary" href={release.archive.url} download>
            {t("files.archive")} <span className="number">{format.bytes(release.archive.bytes)}</span>
          </a>{" "}
          <span className="dim">{t("files.archiveText", { count: release.archive.files })}</span>
        </p>
      )}
      {groups.map((group) => (
        <div key={group.format} className={styles.fileGroup} data-testid={`format-${group.format}`}>
          <h3>
            {t(`format.${group.format}`, { defaultValue: group.format })}{" "}
            {group.files.length > 1 && <span className="dim number">{format.bytes(group.bytes)}</span>}
          </h3>
          <p className="tiny">{t(`formatText.${group.format}`, { defaultValue: "" })}</p>
          <FileTable label={t(`format.${group.format}`, { defaultValue: group.format })} files={group.files} canDownload={canDownload} />
          {canDownload && group.files.filter(isDrawing).map((file) => <Drawing key={file.name} file={file} />)}
        </div>
      ))}
      {keys.length > 0 && (
        <div className={`${styles.fileGroup} ${styles.fileKeys}`} data-testid="key-files">
          <h3>{t("files.keys")}</h3>
          <Notice tone="warn">{t("files.keysText")}</Notice>
          <FileTable label={t("files.keys")} files={keys} canDownload={mayReadKeys && release.state !== "withdrawn"} />
        </div>
      )}
    </section>
  );
}

const isDrawing = (file: ReleaseFile) => file.name.endsWith(".svg") && !file.is_destroyed && file.bytes <= LARGEST_DRAWING;

/** A chart as it is in the release. Files are served for saving alone, so its text is put into the picture's address. */
function Drawing({ file }: { file: ReleaseFile }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    fetch(file.url, { signal: abort.signal })
      .then((answer) => (answer.ok ? answer.text() : null))
      .then(setText)
      // Nothing waits for it: the file is in the list above.
      .catch(() => undefined);
    return () => abort.abort();
  }, [file.url]);
  if (text === null) return null;
  return (
    <div className={styles.fileDrawing} tabIndex={0} role="group" aria-label={file.name} data-testid={`drawing-${file.name}`}>
      <img src={`data:image/svg+xml,${encodeURIComponent(text)}`} alt="" />
    </div>
  );
}

function FileTable({ label, files, canDownload }: { label: string; files: readonly ReleaseFile[]; canDownload: boolean }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  return (
    <WideTable label={label}>
      <table className={`table ${styles.releaseFiles}`}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t("files.name")}</th>
            <th scope="col">{t("files.size")}</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.name} data-testid={`file-${file.name}`}>
              <td>
                {file.is_destroyed ? (
                  <>
                    {file.name} <span className="dim">{t("files.destroyed")}</span>
                  </>
                ) : canDownload ? (
                  <a href={file.url} download>
                    {file.name}
                  </a>
                ) : (
                  file.name
                )}
              </td>
              <td className="number">{format.bytes(file.bytes)}</td>
              <td>
                <Hash file={file} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Hash({ file }: { file: ReleaseFile }) {
  const { t } = useTranslation("releases");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(file.sha256);
      setCopied(true);
    } catch {
      // Without the clipboard (plain HTTP, permission refused) it is shown whole, to be copied by hand.
      toasts.show(file.sha256);
    }
  };
  return (
    <span className={styles.releaseHash}>
      <span className="mono" title={file.sha256} data-sha256={file.sha256}>
        {file.sha256.slice(0, 12)}…
      </span>
      <button
        type="button"
        className="button button-plain button-small"
        aria-label={copied ? undefined : t("files.copy", { name: file.name })}
        onClick={() => void copy()}
        data-testid={`copy-${file.name}`}
      >
        {copied ? t("ui:copied") : t("ui:copy")}
      </button>
    </span>
  );
}
