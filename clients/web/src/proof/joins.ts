/** 9. Of two records in a row, the second goes on exactly where the first one ends. */

import type { Books } from "./accounts";
import { same } from "./bytes";
import type { ShoeState } from "./cards";
import type { RoundRecord } from "./record";
import { checkSameShoe } from "./shoeState";
import { Unproven, shown } from "./unproven";

/** What a proven round leaves to the next one. */
export interface Legacy {
  readonly table: string;
  readonly round: number;
  readonly lastBatch: Uint8Array;
  readonly settings: string;
  readonly books?: Books;
  readonly shoe?: ShoeState;
}

export const follows = (record: RoundRecord, before: Legacy | undefined): before is Legacy =>
  before !== undefined && record.table === before.table && record.round === before.round + 1;

export function checkJoin(record: RoundRecord, before: Legacy): void {
  if (!same(record.batches[0]!, before.lastBatch)) throw new Unproven("batches[0]", "batch_differs");
  if (record.settings !== before.settings) throw new Unproven("settings", "differs", record.settings, before.settings);
  if (!record.start) return;
  for (const name of ["boxes", "stacks"] as const) {
    const [found, wanted] = [record.start[name], before.books?.[name]];
    if (wanted && shown(found) !== shown(wanted)) throw new Unproven(`start.${name}`, "differs", shown(found), shown(wanted));
  }
  if (before.shoe) checkSameShoe(record, before.shoe);
}
