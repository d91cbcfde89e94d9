/** Records of settled rounds, as the node gives them over plain HTTP. */

import type { Batch, Event, ShoeView, TableView } from "$tapete";
import { fromHex } from "../wire/chain";
import { readFrame } from "../wire/codec";
import { newShoe } from "../reduce/shoe";

export interface RoundRecord {
  readonly table: string;
  readonly round: number;
  readonly settings: string;
  readonly batches: readonly string[];
  readonly start?: { readonly boxes: readonly (string | null)[]; readonly stacks: readonly (readonly [string, number])[]; readonly coup?: number; readonly last_coup?: number; readonly left?: string };
}

export const RECORDS_MAX = 100;

/** The last so many, the oldest first. */
export async function fetchRecords(table: string, last: number): Promise<RoundRecord[]> {
  const answer = await fetch(`/api/tables/${table}/rounds?last=${Math.min(Math.max(last, 1), RECORDS_MAX)}`);
  if (!answer.ok) return [];
  const records = ((await answer.json()) as { record: RoundRecord }[]).map((one) => one.record);
  return records.sort((one, other) => one.round - other.round);
}

export async function fetchRecord(table: string, round: number): Promise<RoundRecord | undefined> {
  const answer = await fetch(`/api/rounds/${table}/${round}`);
  return answer.ok ? ((await answer.json()) as RoundRecord) : undefined;
}

export function batchesOf(record: RoundRecord): Batch[] {
  return record.batches.flatMap((text) => {
    const read = readFrame(fromHex(text));
    return read.kind === "frame" && read.frame.t === "Batch" ? [read.frame] : [];
  });
}

/** The round's own events: from its opening to its end. */
export function eventsOf(record: RoundRecord): Event[] {
  const all = batchesOf(record).flatMap((batch) => batch.events);
  const from = all.findIndex((event) => event.t === "RoundOpened" && event.round === record.round);
  const end = all.findIndex((event) => (event.t === "RoundSettled" || event.t === "RoundVoided") && event.round === record.round);
  return all.slice(Math.max(from, 0), end < 0 ? undefined : end + 1);
}

/** The table as it was when the round opened, as far as the record says; `now` lends the names. */
export function viewBefore(record: RoundRecord, now: TableView): TableView {
  const bets = eventsOf(record).flatMap((event) => (event.t === "BettingClosed" ? event.bets : []));
  const boxes = record.start?.boxes ?? now.boxes.map((_, place) => bets.find((one) => one.box === place + 1)?.player ?? null);
  const stacks = new Map(record.start?.stacks ?? []);
  const who = new Set([...stacks.keys(), ...boxes.filter((holder): holder is string => holder !== null)]);
  const name = (player: string) => now.players.find((one) => one.player === player)?.name ?? player;
  return {
    ...now,
    settings: record.settings,
    phase: "settled",
    round: record.round,
    boxes,
    players: [...who].map((player) => ({ player, name: name(player), stack: stacks.get(player) ?? 0, away: false, held_until_at: 0, ready: false, leaving: false })),
    bets: [],
    clocks: [],
    felt: { shoe: shoeBefore(record, now.game), boxes: [], dealer_done: false, standing: [], third: [] },
  };
}

/** The shoe when the round opened, as far as the record says: what is left, and how many coups. */
function shoeBefore(record: RoundRecord, game: string): ShoeView {
  const shoe = { ...newShoe(game, record.settings), coup: record.start?.coup ?? 0 };
  if (!record.start?.left) return shoe;
  const left = fromHex(record.start.left).reduce((sum, count) => sum + count, 0);
  const last = record.start.last_coup === undefined ? {} : { last_coups: record.start.last_coup - shoe.coup };
  return { ...shoe, ...last, left, dealt: shoe.left - left };
}
