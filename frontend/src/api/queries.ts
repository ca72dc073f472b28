/** TanStack Query over the operation table: one key scheme, so that a write can name what it makes stale. */
import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { call } from "./client";
import { ApiError, toApiError } from "./errors";
import type { Answer, OperationId, Request } from "./operations";
import type { Page } from "./types";

/** [operation, request]: `queryClient.invalidateQueries({ queryKey: ["image_list"] })` reaches every page and filter of it. */
export function queryKey<Id extends OperationId>(id: Id, request?: Request<Id>): readonly unknown[] {
  return request === undefined ? [id] : [id, request];
}

interface ReadOptions {
  enabled?: boolean;
  /** Milliseconds between polls, or false; a function sees the latest answer. */
  refetchInterval?: number | false | ((answer: unknown) => number | false);
  staleTime?: number;
  /** For pages that act on what they show: an answer remembered from an earlier visit is not shown, it is asked again. */
  fresh?: boolean;
  /** The last answer stays in view while the next one is on its way: for what follows somebody's typing. */
  keepLast?: boolean;
}

export function useRead<Id extends OperationId>(id: Id, request: Request<Id>, options: ReadOptions = {}): UseQueryResult<Answer<Id>, ApiError> {
  const { enabled, staleTime, refetchInterval, fresh, keepLast } = options;
  const query = useQuery<Answer<Id>, ApiError>({
    queryKey: queryKey(id, request),
    queryFn: ({ signal }) => call(id, request, { signal }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(refetchInterval === undefined
      ? {}
      : {
          refetchInterval:
            typeof refetchInterval === "function" ? (query) => refetchInterval(query.state.data) : refetchInterval,
        }),
    ...(fresh === true ? { refetchOnMount: "always" as const } : {}),
    ...(keepLast === true ? { placeholderData: keepPreviousData } : {}),
  });
  if (fresh !== true || query.isFetchedAfterMount) return query;
  return { ...query, data: undefined } as UseQueryResult<Answer<Id>, ApiError>;
}

type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
export type RowOf<Id extends ListId> = Answer<Id> extends Page<infer Row> ? Row : never;

/** A list paged by cursor; `rows` of all pages fetched so far. */
export function useList<Id extends ListId>(
  id: Id,
  request: Request<Id>,
  options: { enabled?: boolean } = {},
): UseInfiniteQueryResult<InfiniteData<Answer<Id>>, ApiError> & { rows: RowOf<Id>[] } {
  const query = useInfiniteQuery<Answer<Id>, ApiError, InfiniteData<Answer<Id>>, readonly unknown[], string | null>({
    queryKey: queryKey(id, request),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => {
      const asked = request as { query?: object };
      return call(id, { ...request, query: { ...asked.query, cursor: pageParam } }, { signal });
    },
    getNextPageParam: (last) => (last as Page<unknown>).next,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
  });
  const rows = query.data?.pages.flatMap((page) => (page as Page<RowOf<Id>>).results) ?? [];
  return Object.assign(query, { rows });
}

/** A write; `stale` names the operations whose answers it changes. */
export function useWrite<Id extends OperationId>(
  id: Id,
  stale: readonly OperationId[] = [],
): UseMutationResult<Answer<Id>, ApiError, Request<Id>> {
  const client = useQueryClient();
  return useMutation<Answer<Id>, ApiError, Request<Id>>({
    mutationFn: async (request) => {
      try {
        return await call(id, request);
      } catch (error) {
        throw toApiError(error);
      }
    },
    onSettled: () => Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Waiting out a passing fault is useful; asking again for something refused is not.
        retry: (count, error) => error instanceof ApiError && error.isPassing && count < 2,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
