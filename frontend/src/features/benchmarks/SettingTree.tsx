import { useTranslation } from "react-i18next";
import { useLocalised, type Localised } from "@/i18n/localised";

export function isLocalised(value: unknown): value is Localised {
  return typeof value === "object" && value !== null && "zh-Hans" in value && "en" in value;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** A kind's settings under their keys in the file, because a kind may have settings that this page has no names for. */
export function SettingTree({ value }: { value: unknown }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  if (value === null || value === undefined) return <span className="faint">–</span>;
  if (isLocalised(value)) return <>{name(value)}</>;
  if (typeof value === "boolean") return <>{value ? t("protocol.yes") : t("protocol.no")}</>;
  if (typeof value === "string") return <>{t([`value.${value}`, `releases:format.${value}`, value])}</>;
  if (typeof value === "number") return <>{value}</>;
  if (isList(value)) {
    return (
      <ul>
        {value.map((entry, i) => (
          <li key={i}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <dl className="facts">
      {Object.entries(value as Record<string, unknown>).map(([key, entry]) => (
        <SettingRow key={key} name={key} value={entry} />
      ))}
    </dl>
  );
}

/** A named code reads as its name. */
function Entry({ entry }: { entry: unknown }) {
  if (typeof entry === "object" && entry !== null && "name" in entry && isLocalised(entry.name)) return <SettingTree value={entry.name} />;
  return <SettingTree value={entry} />;
}

function SettingRow({ name, value }: { name: string; value: unknown }) {
  const { t } = useTranslation("benchmarks");
  return (
    <>
      <dt>{t([`setting.${name}`, name.replaceAll("_", " ")])}</dt>
      <dd>
        <SettingTree value={value} />
      </dd>
    </>
  );
}
