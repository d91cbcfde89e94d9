/** The coups of the present shoe: from the last results at once, from the records with pairs and naturals a little later, then live. */

import type { CoupDecided, Event, TableView } from "$tapete";
import type { Coup } from "../roads/roads";
import { batchesOf, fetchRecords } from "./record";

const WINNERS: Readonly<Record<string, Coup["winner"]>> = { punto: "P", banca: "B", tie: "T" };

export function coupOf(event: Pick<CoupDecided, "winner" | "natural" | "punto_pair" | "banca_pair">): Coup {
  const { natural, punto_pair, banca_pair } = event;
  return { winner: WINNERS[event.winner] ?? "T", natural, punto_pair, banca_pair };
}

export function plainCoups(recent: readonly string[]): Coup[] {
  return recent.flatMap((word) => (WINNERS[word] ? [{ winner: WINNERS[word], natural: false, punto_pair: false, banca_pair: false }] : []));
}

export class Shoe {
  coups: readonly Coup[] = $state.raw([]);
  private asked = 0;

  constructor(private readonly table: string) {}

  see(view: TableView): void {
    if (view.game !== "punto_banco") return;
    const decided = view.felt.coup && view.phase === "playing" ? 1 : 0;
    const settled = view.felt.shoe.coup - (view.phase === "playing" ? 1 : 0) + decided;
    this.coups = plainCoups(view.recent.slice(-Math.max(settled, 0) || view.recent.length)).slice(settled === 0 ? view.recent.length : 0);
    if (settled > 0) void this.complete(settled);
  }

  hear(event: Event, view: TableView): void {
    if (view.game !== "punto_banco") return;
    if (event.t === "ShoeOpened") {
      this.coups = [];
      this.asked += 1;
    }
    if (event.t === "CoupDecided") this.coups = [...this.coups, coupOf(event)];
  }

  /** What the last results do not say. Coups that were decided meanwhile stay at the end. */
  private async complete(settled: number): Promise<void> {
    const asked = ++this.asked;
    const before = this.coups.length;
    const records = await fetchRecords(this.table, settled).catch(() => []);
    if (asked !== this.asked || records.length === 0) return;
    const known = coupsOf(records.map(batchesOf)).slice(-settled);
    const live = this.coups.slice(before);
    const already = Math.max(0, known.length - settled);
    if (known.length >= before) this.coups = [...known.slice(already), ...live];
  }
}

/** The coups of the last shoe in these batches; consecutive records share one. */
function coupsOf(rounds: { v: number; events: readonly Event[] }[][]): Coup[] {
  let coups: Coup[] = [];
  let last = -1;
  for (const batch of rounds.flat()) {
    if (batch.v <= last) continue;
    last = batch.v;
    for (const event of batch.events) {
      if (event.t === "ShoeOpened") coups = [];
      if (event.t === "CoupDecided") coups.push(coupOf(event));
    }
  }
  return coups;
}
