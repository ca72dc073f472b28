/** One picture: what was found in it, what a person covers or leaves visible, and how it will look. */
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { CoverDetail } from "@/api/types";
import { RegionLayer } from "@/picture/regions/RegionLayer";
import { RegionList } from "@/picture/regions/RegionList";
import type { RegionLook } from "@/picture/regions/RegionShape";
import { Stage } from "@/picture/Stage";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { ChoiceChips, ToggleChip } from "@/ui/ChoiceChips";
import { ActionButtons } from "@/ui/keys/ActionButtons";
import { LeaveGuard } from "@/ui/LeaveGuard";
import { Modal } from "@/ui/Modal";
import { Notice } from "@/ui/Notice";
import { Time } from "@/ui/Time";
import { CoverPreview } from "./CoverPreview";
import { afterDrawing, changedCover, isFilledAnyway, NOT_THERE, REASONS, STYLES, REGION_TYPES, type Cover, type RegionType } from "./covers";
import { ReasonDialog } from "./ReasonDialog";
import { useCoverEditing, type CoverEditing, type CoverProps } from "./useCoverEditing";
import styles from "./cover.module.css";

const LOOKS: Readonly<Record<Cover["status"], RegionLook>> = {
  open: { tone: "warn", isDashed: true, icon: "?" },
  covered: { tone: "good", isFilled: true, icon: "✓" },
  exempt: { tone: "muted", isDashed: true, icon: "–" },
};

export function CoverPicture(props: CoverProps) {
  const { t } = useTranslation("images");
  const { slug, detail } = props;
  const { image } = detail;
  const [what, setWhat] = useState<RegionType>("face");
  const editing = useCoverEditing(props);
  const { covers, setCovers, open, selected, setSelected, remove } = editing;
  const nameOf = (cover: Cover) => t(`cover.what.${cover.what}`);
  const root = useFocusKeptByPreview(editing.isPreviewed);
  return (
    <div ref={root} tabIndex={-1} className={styles.cover} data-testid="cover" data-image={image.id}>
      <LeaveGuard when={editing.isDirty} text={t("cover.leave")} />
      <div className={styles.stage}>
        <Drawing detail={detail} editing={editing} what={what} nameOf={nameOf} />
      </div>
      <div className={styles.side}>
        <section className="card">
          <h2>
            <Link to={`/b/${slug}/pictures/${image.id}`}>{image.label}</Link>
          </h2>
          <Found detail={detail} open={open.length} covers={covers} />
          {covers.length > 0 && (
            <RegionList
              regions={covers}
              label={t("cover.regions")}
              nameOf={nameOf}
              lookOf={({ status }) => LOOKS[status]}
              selected={selected}
              onSelect={setSelected}
              onRemove={remove}
              noteOf={(cover) => <Note cover={cover} isSelected={cover.key === selected} onChange={(values) => setCovers(changedCover(covers, cover.key, values))} />}
            />
          )}
          <ChoiceChips showsLabel label={t("cover.drawn")} value={what} onChoose={setWhat} choices={REGION_TYPES.map((one) => ({ value: one, text: t(`cover.what.${one}`) }))} />
        </section>
        <ActionButtons names={["cover.confirm", "cover.remove", "cover.exempt", "regions.draw", "regions.undo", "regions.redo"]} label={t("cover.decide")} className={styles.buttons} />
        <Saving editing={editing} hasNext={props.hasNext} canUndo={props.canUndo} isSending={props.isSending} isTicked={detail.tick === "clear"} />
        {detail.searches.length > 0 && <p className="tiny">{t("cover.found.limits")}</p>}
        <History detail={detail} />
      </div>
      {editing.exempting && <ReasonDialog name={nameOf(editing.exempting)} onClose={() => editing.setExempting(null)} onReason={editing.exempt} />}
      {editing.isAsking && <Final keepsOriginals={detail.keep_originals} onClose={() => editing.setIsAsking(false)} onAgree={editing.agree} />}
    </div>
  );
}

/** Keeps the focus at the picture where a region had it, which the preview does not show. */
function useFocusKeptByPreview(isPreviewed: boolean): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isPreviewed && document.activeElement === document.body) root.current?.focus({ preventScroll: true });
  }, [isPreviewed]);
  return root;
}

/** The picture with its regions, or as it will look. */
function Drawing({ detail, editing, what, nameOf }: { detail: CoverDetail; editing: CoverEditing; what: RegionType; nameOf: (cover: Cover) => string }) {
  const { t } = useTranslation("images");
  const picture = { width: detail.width, height: detail.height };
  const { covers, setCovers, selected, setSelected } = editing;
  return (
    <Stage width={picture.width} height={picture.height} view={detail.view_url} clean={detail.clean_url} label={detail.image.label}>
      {editing.isPreviewed && <CoverPreview covers={covers} view={detail.view_url} picture={picture} />}
      {!editing.isPreviewed && editing.mayCover && (
        <RegionLayer
          mode="edit"
          regions={covers}
          picture={picture}
          nameOf={nameOf}
          lookOf={({ status }) => ({ ...LOOKS[status], state: t(`cover.status.${status}`) })}
          selected={selected}
          onSelect={setSelected}
          onChange={(after) => setCovers(afterDrawing(covers, after))}
          create={(key, box): Cover => ({ key, box, what, style: proposedStyle(detail), status: "covered", reason: "", origin: "person" })}
        />
      )}
    </Stage>
  );
}

interface SavingProps {
  editing: CoverEditing;
  hasNext: boolean;
  canUndo: boolean;
  isSending: boolean;
  /** The picture is marked as checked as it is. */
  isTicked: boolean;
}

/** Saving the picture, or going on without. */
function Saving({ editing, hasNext, canUndo, isSending, isTicked }: SavingProps) {
  const { t } = useTranslation("images");
  const group = hasNext ? "cover" : "cover.only";
  const { mayTick, ticksAfter, setTicksAfter, isPreviewed, open, isCovering, isEmpty } = editing;
  const ticks = mayTick && ticksAfter;
  return (
    <section className={`card ${styles.done}`}>
      {open.length > 0 && <p className={`tiny ${styles.why}`}>{t("cover.decideFirst", { count: open.length })}</p>}
      {editing.unsaved > 0 && (
        <Notice tone="warn">
          <span data-testid="cover-unsaved">{t("cover.unsaved", { count: editing.unsaved })}</span>
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button look="primary" keys="c" disabled={!editing.canSave} busy={isSending} onClick={editing.save} data-testid="cover-save">
          {t(`${group}.${isCovering || isEmpty ? (ticks ? "saveAndTick" : "save") : ticks ? "decideAndTick" : "decideOnly"}`)}
        </Button>
        {mayTick && (
          <Button keys="p" disabled={!editing.isEmpty} onClick={editing.tick} data-testid="cover-tick">
            {t(`${group}.tick`)}
          </Button>
        )}
        {hasNext && (
          <Button keys="f" onClick={editing.next} data-testid="cover-next">
            {t("cover.next")}
          </Button>
        )}
        {/* Always there, so that nothing moves when the seconds for undoing end; a single picture is sent at once. */}
        {hasNext && (
          <Button keys="z" disabled={!canUndo} onClick={editing.undo} data-testid="cover-undo">
            {t("cover.action.undo")}
          </Button>
        )}
      </div>
      <ul className="chips">
        <li>
          <ToggleChip on={isPreviewed} onToggle={editing.preview} testId="cover-preview">
            {t("cover.preview")}
          </ToggleChip>
        </li>
        {mayTick && (
          <li>
            <ToggleChip on={ticksAfter} onToggle={() => setTicksAfter(!ticksAfter)} testId="cover-ticks">
              {t("cover.ticksAfter")}
            </ToggleChip>
          </li>
        )}
      </ul>
      {!mayTick && <p className="tiny">{t(isTicked ? "cover.alreadyTicked" : "cover.othersTick")}</p>}
    </section>
  );
}

function proposedStyle({ style }: CoverDetail): Cover["style"] {
  return STYLES.find((one) => one === style) ?? "fill";
}

/** What the detectors found, or that a person has to look. */
function Found({ detail, open, covers }: { detail: CoverDetail; open: number; covers: readonly Cover[] }): ReactNode {
  const { t } = useTranslation("images");
  const format = useFormat();
  const { searches, pending, proposals } = detail;
  const list = (targets: readonly string[]) => format.list(targets.map((target) => t(`cover.found.target.${target}`)));
  const sentences: string[] = [];
  if (open > 0) sentences.push(t("cover.found.open", { count: open }));
  else if (proposals.some(({ regions }) => regions.length > 0)) sentences.push(t("cover.found.decided", { count: covers.length }));
  if (proposals.some(({ failed }) => failed)) sentences.push(t("cover.found.failed"));
  if (pending.length > 0) sentences.push(t("cover.found.pending", { what: list(pending) }));
  if (sentences.length === 0) sentences.push(searches.length === 0 ? t("cover.found.noSearch") : t("cover.found.none", { what: list(searches) }));
  return (
    <p role="status" data-testid="cover-found">
      {format.sentences(sentences)}
    </p>
  );
}

/** Below a region in the list: what it is, how it is covered, or why it stays visible. */
function Note({ cover, isSelected, onChange }: { cover: Cover; isSelected: boolean; onChange: (values: Partial<Pick<Cover, "what" | "style">>) => void }) {
  const { t } = useTranslation("images");
  const reasonText = useReasonText();
  if (cover.status === "exempt") return <span className="dim">{t("cover.staysVisible", { reason: reasonText(cover.reason) })}</span>;
  if (!isSelected) return <Chip tone={cover.status === "open" ? "warn" : "good"}>{t(`cover.status.${cover.status}`)}</Chip>;
  return (
    <>
      <ChoiceChips
        showsLabel
        label={t("cover.whatLabel")}
        value={cover.what}
        onChoose={(what) => onChange({ what })}
        choices={REGION_TYPES.map((what) => ({ value: what, text: t(`cover.what.${what}`) }))}
      />
      {isFilledAnyway(cover) ? (
        <p className="tiny" data-testid="cover-filled">
          {t("cover.filledAnyway")}
        </p>
      ) : (
        <ChoiceChips
          showsLabel
          label={t("cover.styleLabel")}
          value={cover.style}
          onChoose={(style) => onChange({ style })}
          choices={STYLES.map((style) => ({ value: style, text: t(`cover.style.${style}`), testId: `style-${style}` }))}
        />
      )}
    </>
  );
}

function useReasonText(): (reason: string) => string {
  const { t } = useTranslation("images");
  const codes: readonly string[] = [...REASONS, NOT_THERE];
  return (reason) => (codes.includes(reason) ? t(`cover.reason.${reason}`) : reason);
}

function History({ detail }: { detail: CoverDetail }) {
  const { t } = useTranslation("images");
  const reasonText = useReasonText();
  if (detail.history.length === 0) return null;
  return (
    <section className="card">
      <h2>{t("cover.history")}</h2>
      <ul data-testid="cover-history">
        {detail.history.map((one) => (
          <li key={one.at}>
            {t(one.covers ? "cover.coveredBy" : "cover.leftBy", { name: one.by?.name ?? t("ui:nameHidden") })} <Time at={one.at} />
            {one.regions
              .filter(({ how, reason }) => how === "exempt" && reason !== NOT_THERE)
              .map(({ key, what, reason }) => (
                <div key={key} className="tiny">
                  {t(`cover.what.${what}`)}: {t("cover.staysVisible", { reason: reasonText(reason) })}
                </div>
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Said once: what is covered is gone. */
function Final({ keepsOriginals, onAgree, onClose }: { keepsOriginals: boolean; onAgree: () => void; onClose: () => void }) {
  const { t } = useTranslation("images");
  return (
    <Modal onClose={onClose} label={t("cover.final.title")} className={`card ${styles.dialog}`} testId="cover-final">
      <h2>{t("cover.final.title")}</h2>
      <p>{t("cover.final.text")}</p>
      {keepsOriginals && <Notice tone="warn">{t("cover.final.originals")}</Notice>}
      <div className={styles.dialogFoot}>
        <Button look="primary" onClick={onAgree} data-first-focus="" data-testid="cover-agree">
          {t("cover.final.agree")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </Modal>
  );
}
