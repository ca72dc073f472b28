/** Above the cards: filters, choosing many at once, and adding what is ready. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { useStore } from "@/store/useStore";
import { Button } from "@/ui/Button";
import type { Card } from "./cards";
import type { Intake } from "./intake";
import { CARD_FILTER_NAMES, type CardFilter } from "./cardFilters";
import styles from "./intake.module.css";

interface IntakeBarProps {
  intake: Intake;
  shown: CardFilter | undefined;
  counts: Readonly<Record<CardFilter, number>>;
  /** Cards that are chosen and not added yet. */
  chosen: readonly Card[];
  /** How many cards are chosen in all. */
  selected: number;
  onShow: (name: CardFilter | "") => void;
  onSelectAll: () => void;
  onSelectNone: () => void;
  onSelectMissing: () => void;
}

export function IntakeBar(props: IntakeBarProps) {
  const { intake, shown, counts, chosen, selected, onShow } = props;
  const { t } = useTranslation("images");
  const format = useFormat();
  const { cards, isAccepting } = useStore(intake);
  return (
    <div className={styles.intakeBar}>
      <div className="chips" role="group" aria-label={t("intake.show")}>
        <FilterChip isOn={shown === undefined} onChoose={() => onShow("")} testId="show-all">
          {t("all")} <span className="number">{format.number(cards.length)}</span>
        </FilterChip>
        {CARD_FILTER_NAMES.filter((one) => counts[one] > 0 || one === shown).map((one) => (
          <FilterChip key={one} isOn={shown === one} onChoose={() => onShow(one)} testId={`show-${one}`}>
            {t(`intake.filter.${one}`)} <span className="number">{format.number(counts[one])}</span>
          </FilterChip>
        ))}
      </div>
      <div className={`row-actions ${styles.intakeChoose}`}>
        <Button small onClick={selected > 0 ? props.onSelectNone : props.onSelectAll} data-testid="select-all">
          {selected > 0 ? t("intake.clearSelection") : t("intake.selectAll")}
        </Button>
        {counts.missing > 0 && (
          <Button small keys="m" onClick={props.onSelectMissing} data-testid="select-missing">
            {t("intake.selectMissing")}
          </Button>
        )}
        {chosen.length > 0 && (
          <Button small look="danger" onClick={() => intake.remove(chosen.map((card) => card.key))} data-testid="remove-chosen">
            {t("intake.removeChosen")}
          </Button>
        )}
        {cards.some((card) => card.state === "taken") && (
          <Button small look="plain" onClick={() => intake.clearAccepted()} data-testid="clear-added">
            {t("intake.clearAdded")}
          </Button>
        )}
      </div>
      <div className={styles.intakeTake}>
        <span className="dim number" role="status" data-testid="upload-counts">
          {chosen.length > 0 ? t("chosen", { count: chosen.length }) : t("intake.counts", { all: cards.length, added: counts.taken, refused: counts.refused })}
        </span>
        <Button look="primary" keys="Mod+Enter" disabled={counts.ready === 0} busy={isAccepting} onClick={() => void intake.accept()} data-testid="add-ready">
          {t("intake.add", { count: counts.ready })}
        </Button>
      </div>
    </div>
  );
}

function FilterChip({ isOn, onChoose, testId, children }: { isOn: boolean; onChoose: () => void; testId: string; children: ReactNode }) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onChoose} data-testid={testId}>
      {children}
    </button>
  );
}
