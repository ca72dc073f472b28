/** TanStack Query over the operation table: one key scheme, so that a write can invalidate what it changes. */
import {
  keepPreviousData,
  notifyManager,
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
import { useEffect, useState } from "react";
import { call } from "./client";
import { ApiError, toApiError } from "./errors";
import { KEYED_OPERATIONS, STALE_AFTER, type OperationId } from "./operations";
import type { Answer, Request } from "./request";
import { RetryKey } from "./retryKey";
import type { Page } from "./types";

/** [operation, request]: `queryClient.invalidateQueries({ queryKey: ["image_list"] })` reaches every page and filter of it. */
export function queryKey<Id extends OperationId>(id: Id, request?: Request<Id>): readonly unknown[] {
  return request === undefined ? [id] : [id, request];
}

/** The benchmark in the page's address. Not from the router: a read belongs to the page that is open when it is sent. */
function benchmarkOfPage(): string | undefined {
  return /^\/b\/([^/]+)/.exec(window.location.pathname)?.[1];
}

interface ReadOptions {
  enabled?: boolean;
  /** Milliseconds between polls, or false; a function sees the latest answer. */
  refetchInterval?: number | false | ((answer: unknown) => number | false);
  staleTime?: number;
  /** For pages that act on what they show: a cached answer of an earlier visit is not shown but fetched again. */
  fresh?: boolean;
  /** Shows the previous answer while the next one loads: for requests that follow typing. */
  keepLast?: boolean;
}

export function useRead<Id extends OperationId>(id: Id, request: Request<Id>, options: ReadOptions = {}): UseQueryResult<Answer<Id>, ApiError> {
  const { enabled, staleTime, refetchInterval, fresh, keepLast } = options;
  const query = useQuery<Answer<Id>, ApiError>({
    queryKey: queryKey(id, request),
    queryFn: ({ signal }) => call(id, request, { signal, benchmark: benchmarkOfPage() }),
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
  // Where only the request changes, TanStack Query fetches no answer that is still fresh, and the page would wait for ever.
  const { refetch } = query;
  const isLeftOut = fresh === true && enabled !== false && !query.isFetchedAfterMount && query.fetchStatus === "idle";
  useEffect(() => {
    if (isLeftOut) void refetch();
  }, [isLeftOut, refetch]);
  if (fresh !== true || query.isFetchedAfterMount) return query;
  return { ...query, data: undefined } as UseQueryResult<Answer<Id>, ApiError>;
}

type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
type RowOf<Id extends ListId> = Answer<Id> extends Page<infer Row> ? Row : never;

function rowsOf<Id extends ListId>(data: InfiniteData<Answer<Id>> | undefined): RowOf<Id>[] {
  return data?.pages.flatMap((page) => (page as Page<RowOf<Id>>).results) ?? [];
}

/** A list paged by cursor; `rows` of all pages fetched so far. */
export function useList<Id extends ListId>(
  id: Id,
  request: Request<Id>,
  { refetchInterval, ...options }: { enabled?: boolean; refetchInterval?: number | ((rows: RowOf<Id>[]) => number | false) } = {},
): UseInfiniteQueryResult<InfiniteData<Answer<Id>>, ApiError> & { rows: RowOf<Id>[] } {
  const query = useInfiniteQuery<Answer<Id>, ApiError, InfiniteData<Answer<Id>>, readonly unknown[], string | null>({
    queryKey: queryKey(id, request),
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => {
      const { query: parameters } = request as { query?: object };
      return call(id, { ...request, query: { ...parameters, cursor: pageParam } }, { signal, benchmark: benchmarkOfPage() });
    },
    getNextPageParam: (last) => (last as Page<unknown>).next,
    ...options,
    ...(refetchInterval === undefined
      ? {}
      : {
          refetchInterval:
            typeof refetchInterval === "function" ? (query) => refetchInterval(rowsOf<Id>(query.state.data)) : refetchInterval,
        }),
  });
  const rows = rowsOf<Id>(query.data);
  return Object.assign(query, { rows });
}

type Keyless<Body> = Body extends FormData ? Body : Omit<Body, "client_key">;

/** What a write passes: its request without the client key, and without a body that would hold nothing else. */
type WriteRequest<Id extends OperationId> =
  Request<Id> extends { body: infer Body }
    ? Omit<Request<Id>, "body"> & ([keyof Keyless<Body>] extends [never] ? unknown : { body: Keyless<Body> })
    : Request<Id>;

interface WriteOptions<Id extends OperationId> {
  /** Sends the request in place of `call`, e.g. to show how much of a file has arrived. */
  send?: (request: Request<Id>) => Promise<Answer<Id>>;
}

/**
 * A write; afterwards every read that shows something it changes is asked again. Where the operation takes a client key
 * it gets one here: the same for a request sent again after a lost answer, a new one otherwise.
 */
export function useWrite<Id extends OperationId>(
  id: Id,
  { send = (request) => call(id, request) }: WriteOptions<Id> = {},
): UseMutationResult<Answer<Id>, ApiError, WriteRequest<Id>> {
  const client = useQueryClient();
  const [retryKey] = useState(() => new RetryKey());
  return useMutation<Answer<Id>, ApiError, WriteRequest<Id>>({
    mutationFn: async (request) => {
      try {
        if (!KEYED_OPERATIONS.has(id)) return await send(request as Request<Id>);
        return await retryKey.send(request, (key) => send(withKey<Id>(request, key)));
      } catch (error) {
        throw toApiError(error);
      }
    },
    onSettled: () => Promise.all((STALE_AFTER[id] ?? []).map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

function withKey<Id extends OperationId>(request: WriteRequest<Id>, key: string): Request<Id> {
  const { body } = request as { body?: object };
  if (!(body instanceof FormData)) return { ...request, body: { ...body, client_key: key } } as unknown as Request<Id>;
  const keyed = new FormData();
  for (const [name, value] of body) keyed.append(name, value);
  keyed.set("client_key", key);
  return { ...request, body: keyed } as unknown as Request<Id>;
}

// Components see a changed answer in a microtask and not, as by default, after a timeout: a queue that writes an answer
// into the cache and then drops the entry must not show the row without both in between.
notifyManager.setScheduler(queueMicrotask);

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Retrying helps against temporary failures, not against refusals.
        retry: (count, error) => error instanceof ApiError && error.isPassing && count < 2,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
