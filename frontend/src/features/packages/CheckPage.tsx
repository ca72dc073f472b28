/** Self-check: the whole package as a sheet; every item is read again and ticked, then the package is submitted. */
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { PackageDetail, WorkItem, WorkRules } from "@/api/types";
import { useSheet } from "@/item/useSheet";
import type { KindView } from "@/kinds/kind";
import { rulesIn } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { checkActions } from "./actions";
import { CheckCard } from "./check/CheckCard";
import { Missing, missingIn } from "./check/Missing";
import { useTicks } from "./check/useTicks";
import { Skipped } from "./Skipped";
import styles from "./packages.module.css";

export function CheckPage() {
  const id = Number(useParams().packageId);
  const pkg = useRead("package_show", { path: { id } }, { fresh: true });
  return <Loaded of={pkg}>{(data) => <Check key={id} pkg={data} />}</Loaded>;
}

const isWritten = ({ state }: WorkItem) => state !== "todo" && state !== "returned" && state !== "skipped";
/** What was skipped has no text to read again: the reviewer decides about it. */
const isToRead = ({ state }: WorkItem) => state !== "skipped";

function Check({ pkg }: { pkg: PackageDetail }) {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const navigate = useNavigate();
  const view = kindView(pkg.kind);
  const submitPackage = useWrite("package_hand_over");
  const { queue, isTicked, problem } = useTicks(pkg);
  const sheet = useSheet({
    kind: { view, rules: pkg.rules },
    rows: pkg.items,
    itemOf: (item) => item,
    isOpen: (item) => isToRead(item) && !isTicked(item),
    atEnd: "stay",
  });
  const { current } = sheet;
  const mayTick = pkg.available_actions.includes("package_self_check");
  const canSubmit = pkg.available_actions.includes("package_hand_over");
  const packagePage = `/b/${slug}/packages/${pkg.id}`;
  const editor = (item: WorkItem) => `/b/${slug}/work/${pkg.id}?item=${item.id}`;

  function toggle(item: WorkItem) {
    if (!mayTick || !isWritten(item)) return;
    const tick = !isTicked(item);
    queue.tick({ id: item.id, revision_no: tick ? item.revision_no : 0 });
    if (tick) sheet.advance(item.id);
  }
  async function submit() {
    await queue.flush();
    submitPackage.mutate(
      { path: { id: pkg.id }, body: { revision: queue.packageRevision } },
      {
        onSuccess: ({ label }) => {
          toasts.show(t("submittedToast", { label }));
          void navigate(packagePage);
        },
        onError: (error) => sheet.selectItem(missingIn(error)[0]?.item_id),
      },
    );
  }
  useActions(checkActions, {
    move: sheet.move,
    canTick: mayTick && current !== undefined && isWritten(current),
    tick: () => current && toggle(current),
    edit: () => current && void navigate(editor(current)),
    look: sheet.look,
    canSubmit,
    submit: () => void submit(),
    leave: () => void navigate(packagePage),
  });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
  return (
    <Page
      title={t("check.title", { label: pkg.label })}
      lead={t("check.lead")}
      actions={
        canSubmit && (
          <Button look="primary" keys="Mod+Enter" busy={submitPackage.isPending} onClick={() => void submit()} data-testid="submit-package">
            {t("action.submit")}
          </Button>
        )
      }
    >
      <Progress items={pkg.items} isTicked={isTicked} />
      {problem && <Problem error={problem} />}
      {submitPackage.error && (
        <Missing error={submitPackage.error} items={pkg.items} isDone={(item) => isWritten(item) && isTicked(item)} onSelect={sheet.selectItem} />
      )}
      <ol className={styles.sheet}>
        {pkg.items.map((item, index) => (
          <CheckCard
            key={item.id}
            item={item}
            view={view}
            rules={pkg.rules}
            selected={index === sheet.at}
            ticked={isTicked(item)}
            canTick={mayTick && isWritten(item)}
            onSelect={() => sheet.select(index)}
            onTick={() => toggle(item)}
            onLook={sheet.look}
            edit={editor(item)}
          >
            <Written item={item} view={view} slug={slug} rules={pkg.rules} />
          </CheckCard>
        ))}
      </ol>
      {sheet.fullPicture}
    </Page>
  );
}

function Progress({ items, isTicked }: { items: readonly WorkItem[]; isTicked: (item: WorkItem) => boolean }) {
  const { t } = useTranslation("packages");
  const toRead = items.filter(isToRead);
  const ticked = toRead.filter(isTicked).length;
  const skipped = items.length - toRead.length;
  return (
    <div className={styles.checkProgress}>
      <span className="number" data-testid="ticked">
        {t("check.ticked", { ticked, size: toRead.length })}
        {skipped > 0 && <span className="dim"> · {t("check.skipped", { count: skipped })}</span>}
      </span>
      <Meter value={ticked} of={toRead.length} label={t("column.checked")} />
    </div>
  );
}

function Written({ item, view, slug, rules }: { item: WorkItem; view: KindView; slug: string; rules: WorkRules }) {
  const { t } = useTranslation("packages");
  if (item.state === "skipped") return <Skipped item={item} slug={slug} rules={rules} />;
  if (!item.content) return <p className="faint">{t("notWritten")}</p>;
  return <view.Reader content={item.content} rules={rulesIn(rules, item.language)} findings={item.findings} reasons={item.reasons} />;
}
