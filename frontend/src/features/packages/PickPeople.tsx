/** People who may annotate, found by typing part of a name; one, or several that stay as chips. */
import { useTranslation } from "react-i18next";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { usePeopleSearch } from "@/api/people";
import { PersonSelect } from "@/ui/PersonSelect";
import { annotatingRoles } from "./roles";
import styles from "./packages.module.css";

export interface Chosen {
  id: number;
  name: string;
}

interface PickPeopleProps {
  slug: string;
  kind: string;
  label: string;
  hint?: string;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
  /** Choosing another takes the place of the one before. */
  single?: boolean;
  testId: string;
}

export function PickPeople({ slug, kind, label, hint, chosen, onChange, single = false, testId }: PickPeopleProps) {
  const { t } = useTranslation("packages");
  const roles = annotatingRoles(inProtocol(useBenchmark(slug).data?.protocol.content, "roles"), kind);
  const { people, isWhole, onSearch } = usePeopleSearch(slug, { pageSize: 50 });
  const annotators = people.filter((one) => one.active && one.grants.some((grant) => roles.has(grant.role)));
  const options = annotators.filter((one) => single || !chosen.some((other) => other.id === one.id));
  const only = single ? chosen[0] : undefined;
  return (
    <div className={styles.pickPeople}>
      <PersonSelect
        label={label}
        people={options}
        value={only?.id}
        valueName={only?.name}
        placeholder={isWhole && options.length === 0 && only === undefined ? t("pick.empty") : t("pick.placeholder")}
        onSearch={onSearch}
        onChange={(id) => {
          const person = annotators.find((one) => one.id === id);
          if (single) onChange(person ? [{ id: person.id, name: person.name }] : []);
          else if (person) onChange([...chosen, { id: person.id, name: person.name }]);
        }}
        {...(hint === undefined ? {} : { hint })}
        testId={testId}
      />
      {!single && chosen.length > 0 && (
        <div className="chips">
          {chosen.map((one) => (
            <button
              key={one.id}
              type="button"
              className="chip"
              aria-label={t("pick.remove", { name: one.name })}
              onClick={() => onChange(chosen.filter((other) => other.id !== one.id))}
            >
              {one.name} ✕
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
