/** What one protocol version changes against another, part by part. */
import { useTranslation } from "react-i18next";
import type { ProtocolChange } from "@/api/types";
import { Chip } from "@/ui/Chip";
import { byPart, kindOf } from "./changes";
import { SettingTree } from "./SettingTree";
import styles from "./benchmarks.module.css";

/** `under` is the level of the heading above the list. */
export function ChangeList({ changes, under, marksLocked = false }: { changes: readonly ProtocolChange[]; under: 1 | 2; marksLocked?: boolean }) {
  const { t } = useTranslation("benchmarks");
  const Heading = under === 1 ? "h2" : "h3";
  if (changes.length === 0) return <p className="dim">{t("changes.none")}</p>;
  return (
    <div className={styles.changes} data-testid="changes">
      {byPart(changes).map(([part, inPart]) => (
        <section key={part} className="card">
          <Heading>{t(`part.${part}`)}</Heading>
          <ul>
            {inPart.map((change, i) => (
              <li key={i} className={styles.change} data-testid={`change-${change.path}`}>
                <div className={styles.changePath}>
                  <code>{change.path}</code>
                  {kindOf(change) !== "changed" && <Chip>{t(`changes.${kindOf(change)}`)}</Chip>}
                  {marksLocked && change.is_locked && <Chip tone="bad">{t("changes.locked")}</Chip>}
                </div>
                <dl>
                  {change.before !== null && (
                    <div className={styles.before}>
                      <dt>{t("changes.before")}</dt>
                      <dd>
                        <SettingTree value={change.before} />
                      </dd>
                    </div>
                  )}
                  {change.after !== null && (
                    <div className={styles.after}>
                      <dt>{t("changes.after")}</dt>
                      <dd>
                        <SettingTree value={change.after} />
                      </dd>
                    </div>
                  )}
                </dl>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
