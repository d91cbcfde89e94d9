/** A player's mark, 1 to 4, stays the same while the player holds the first of its boxes. */

import type { TableView } from "$tapete";

export function markOf(view: TableView, player: string | null | undefined, otherwise = 1): number {
  const first = view.boxes.indexOf(player ?? "");
  return first < 0 ? otherwise : first + 1;
}
