/** Validating: one item of a colleague at a time, from the pool or from a link. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import type { ApiError } from "@/api/errors";
import { useRead } from "@/api/queries";
import type { PeerItem, PeerPool } from "@/api/types";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFilters } from "@/ui/useFilters";
import { startActions } from "./actions";
import { useValidation, type Validation } from "./useValidation";
import { ValidateItem } from "./ValidateItem";

export function ValidatePage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const filters = useFilters({ replace: true });
  const benchmark = useBenchmark(slug);
  const kinds = useTrackKinds(slug, "peer");
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  const team = filters.number("team");
  const item = filters.number("item");
  const pool = useRead(
    "peer_pool_show",
    { path: { b: slug }, query: { kind: kind ?? "", team } },
    { fresh: true, enabled: kind !== undefined, refetchInterval: 30_000 },
  );
  const named = useRead("peer_item_show", { path: { id: item ?? 0 } }, { fresh: true, enabled: item !== undefined });
  if (kind === undefined) {
    return (
      <Page title={t("validate.title")}>
        <Loaded of={benchmark}>{() => <Empty title={t("team:none.title")}>{t("team:none.text")}</Empty>}</Loaded>
      </Page>
    );
  }
  return (
    <Page title={t("validate.title")} lead={t("validate.lead")}>
      <Loaded of={pool}>
        {(data) => (
          // It stays while another item of the address is loaded: it holds the seats, and what is typed.
          <Validating
            key={`${kind}-${team ?? ""}`}
            pool={data}
            naming={item === undefined ? null : named}
            slug={slug}
            kind={kind}
            team={team}
            board={`/b/${slug}/team?kind=${kind}${team === undefined ? "" : `&team=${team}`}`}
            onNamedDone={() => filters.set({ item: undefined })}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface ValidatingProps {
  pool: PeerPool;
  /** The item that the address names, as far as it is loaded; null where it names none. */
  naming: UseQueryResult<PeerItem, ApiError> | null;
  slug: string;
  kind: string;
  team: number | undefined;
  /** Address of the team's board. */
  board: string;
  onNamedDone: () => void;
}

function Validating({ board, pool, naming, ...options }: ValidatingProps) {
  const navigate = useNavigate();
  const validation = useValidation({ pool, named: naming?.data ?? null, ...options });
  const { current, form } = validation;
  const leave = () => void navigate(board);
  if (form === null && naming && !naming.data) return <Loaded of={naming}>{() => null}</Loaded>;
  return current ? (
    // Another version of an item is read from the start, with its answer hidden; an open form stays.
    <ValidateItem
      key={`${current.id}-${form?.openedNo ?? current.revision_no}`}
      item={current}
      validation={validation}
      waiting={pool.free}
      onLeave={leave}
    />
  ) : (
    <NoItem pool={pool} validation={validation} board={board} onLeave={leave} />
  );
}

/** No item is open: how many wait, and how to start. */
function NoItem({ pool, validation, board, onLeave }: { pool: PeerPool; validation: Validation; board: string; onLeave: () => void }) {
  const { t } = useTranslation("quality");
  const { refusal, isClaiming, start } = validation;
  const isEmpty = pool.free === 0 || refusal?.code === "nothing_left" || refusal?.code === "pool_empty";
  useActions(startActions, { start: isClaiming || isEmpty ? null : start, leave: onLeave });
  return (
    <>
      {refusal && !isEmpty && <Problem error={refusal} />}
      <Empty
        title={isEmpty ? t("validate.empty.title") : t("validate.waiting", { count: pool.free })}
        actions={
          <>
            {!isEmpty && (
              <Button look="primary" keys="Enter" busy={isClaiming} onClick={start} data-testid="start">
                {t("validate.start")}
              </Button>
            )}
            <ButtonLink to={board} data-testid="to-board">
              {t("validate.leave")}
            </ButtonLink>
          </>
        }
      >
        {isEmpty ? (pool.held > 0 ? t("validate.empty.held", { count: pool.held }) : t("validate.empty.text")) : t("validate.waitingText")}
      </Empty>
    </>
  );
}
