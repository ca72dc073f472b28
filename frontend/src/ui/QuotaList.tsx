/** Accepted pictures of categories against the protocol's quota; each name links to its pictures. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFormat } from "@/i18n/format";
import { Meter } from "./Meter";
import "./ui.css";

export interface QuotaRow {
  slug: string;
  name: string;
  accepted: number;
  minimum: number | null;
  target: number | null;
  to: string;
  /** Parts of the row with a quota of their own. */
  parts?: readonly QuotaPart[];
}

interface QuotaPart {
  code: string;
  accepted: number;
  minimum: number | null;
  target: number | null;
  to: string;
}

export function QuotaList({ rows, label }: { rows: readonly QuotaRow[]; label: string }) {
  const { t } = useTranslation("ui");
  const format = useFormat();
  return (
    <ul className="quota-list" tabIndex={0} aria-label={label}>
      {rows.map(({ slug, name, accepted, minimum, target, to, parts = [] }) => {
        const goal = target ?? minimum;
        return (
          <li key={slug} data-testid={`quota-${slug}`}>
            <Link to={to}>{name}</Link>
            <span className="number">
              {format.number(accepted)}
              {goal !== null && <span className="faint"> / {format.number(goal)}</span>}
            </span>
            {goal !== null && <Meter value={accepted} of={goal} label={name} />}
            {minimum !== null && accepted < minimum && <span className="tiny">{t("quotaMissing", { count: minimum - accepted })}</span>}
            {parts.map((part) => (
              <Link key={part.code} to={part.to} className="quota-part number" data-testid={`quota-${slug}-${part.code}`}>
                {part.code} {format.number(part.accepted)}
                {part.target !== null && ` / ${format.number(part.target)}`}
              </Link>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
