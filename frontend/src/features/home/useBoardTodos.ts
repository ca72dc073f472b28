/** What waits on the category board of a benchmark whose list is not frozen yet. */
import { useBenchmark, useHasBoard } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { boardTodosFrom, type Todo } from "./todo";

export function useBoardTodos(slug: string): Todo[] {
  const may = useMay(slug);
  const hasBoard = useHasBoard(slug);
  const categories = useBenchmark(slug).data?.categories.length ?? 0;
  const board = useRead("category_board_show", { path: { b: slug } }, { enabled: hasBoard && categories === 0 && may("category_board_show"), staleTime: 60_000 });
  return boardTodosFrom(categories === 0 ? board.data : undefined);
}
