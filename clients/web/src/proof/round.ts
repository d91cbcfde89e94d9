/** A record laid out: its batches joined by their heads, and the round's events from its opening to its end. */

import { sha256 } from "../wire/sha256";
import { genesis } from "../wire/chain";
import { same } from "./bytes";
import { type Fact, type Says, is, isOnTheFelt } from "./facts";
import { houseCommitment } from "./fair";
import { type Batch, type RoundRecord, readBatch } from "./record";
import { type Settings, readSettings } from "./settings";
import { Unproven, shown } from "./unproven";

type At<T> = T & { readonly where: string; readonly batch: number };

export interface Round {
  readonly record: RoundRecord;
  readonly settings: Settings;
  /** Head after each batch. */
  readonly heads: readonly Uint8Array[];
  /** What happened between the opening and the end. */
  readonly facts: readonly Fact[];
  /** What the first batch has after the opening belongs to `facts`; this is what the last one has after the end. */
  readonly after: readonly Fact[];
  readonly opened: At<Says<"RoundOpened">>;
  readonly end: Fact<"RoundSettled" | "RoundVoided">;
  readonly closed?: Fact<"BettingClosed">;
}

/** 1. The settings are those of the hash, and those that the first batch brings, if it does. */
export function checkSettings(record: RoundRecord): Settings {
  const found = sha256(new TextEncoder().encode(record.settings));
  if (!same(found, record.settings_hash)) throw new Unproven("settings_hash", "hash_differs", shown(record.settings_hash), shown(found));
  return readSettings(record.settings);
}

/** 2. Every batch joins the one before. */
export function checkChain(record: RoundRecord): { readonly batches: readonly Batch[]; readonly heads: readonly Uint8Array[] } {
  const batches: Batch[] = [];
  const heads: Uint8Array[] = [];
  for (const [number, frame] of record.batches.entries()) {
    const batch = readBatch(frame, number);
    checkJoint(record, batch, number, batches.at(-1), heads.at(-1));
    batches.push(batch);
    heads.push(sha256(batch.prev, frame));
  }
  const last = heads.at(-1)!;
  if (record.head && !same(record.head, last)) throw new Unproven("head", "hash_differs", shown(record.head), shown(last));
  return { batches, heads };
}

function checkJoint(record: RoundRecord, batch: Batch, number: number, before: Batch | undefined, head: Uint8Array | undefined): void {
  const where = `batches[${number}]`;
  if (batch.table !== record.table) throw new Unproven(`${where}.table`, "differs", batch.table, record.table);
  if (before && batch.v !== before.v + 1) throw new Unproven(`${where}.v`, "differs", String(batch.v), String(before.v + 1));
  const prev = head ?? (batch.v === 1 ? genesis(record.table) : undefined);
  if (prev && !same(batch.prev, prev)) throw new Unproven(`${where}.prev`, "hash_differs", shown(batch.prev), shown(prev));
}

/** 3. One opening, in the first batch; one end, in the last; the house's secret is the one it was bound to; no card before the close. */
export function checkFrame(record: RoundRecord, settings: Settings, batches: readonly Batch[], heads: readonly Uint8Array[]): Round {
  const all = batches.flatMap((batch) => batch.facts);
  const opened = theOne(all.filter(is("RoundOpened")), record.round, 0);
  const end = theOne(all.filter(is("RoundSettled", "RoundVoided")), record.round, batches.length - 1);
  const [from, to] = [all.indexOf(opened), all.indexOf(end)];
  if (to < from) throw new Unproven(`${end.where}.t`, "out_of_place", end.t);
  checkBefore(record, all.slice(0, from));
  const facts = all.slice(from + 1, to);
  const other = facts.find(is("RoundOpened", "RoundSettled", "RoundVoided", "TableOpened", "SettingsChanged"));
  if (other) throw new Unproven(`${other.where}.t`, "out_of_place", other.t);
  const after = all.slice(to + 1);
  const late = after.find(isOnTheFelt);
  if (late) throw new Unproven(`${late.where}.t`, "out_of_place", late.t);
  checkNumbers(facts, record.round);
  checkNumbers(after, record.round + 1);
  const [first] = after.filter(is("RoundOpened", "BettingOpened"));
  if (first?.t === "BettingOpened") throw new Unproven(`${first.where}.t`, "out_of_place", first.t);
  const bound = houseCommitment(end.secret);
  if (!same(bound, opened.commitment)) throw new Unproven(`${end.where}.secret`, "hash_differs", shown(bound), shown(opened.commitment));
  return { record, settings, heads, facts, after, opened, end, closed: closeOf(record, facts, batches) };
}

function theOne<F extends Fact<"RoundOpened" | "RoundSettled" | "RoundVoided">>(all: readonly F[], round: number, batch: number): F {
  const [one, two] = all.filter((fact) => fact.round === round);
  if (!one) throw new Unproven(`batches[${batch}].events`, "not_told", batch === 0 ? "RoundOpened" : "RoundSettled", String(round));
  if (two) throw new Unproven(`${two.where}.t`, "comes_twice", two.t);
  if (one.batch !== batch) throw new Unproven(`${one.where}.t`, "out_of_place", one.t);
  return one;
}

function checkBefore(record: RoundRecord, before: readonly Fact[]): void {
  const told = before.filter(is("TableOpened", "SettingsChanged")).at(-1);
  if (told && told.settings !== record.settings) throw new Unproven(`${told.where}.settings`, "differs", told.settings, record.settings);
}

/** What opens says the number of its round. */
function checkNumbers(facts: readonly Fact[], round: number): void {
  const other = facts.filter(is("RoundOpened", "BettingOpened")).find((fact) => fact.round !== round);
  if (other) throw new Unproven(`${other.where}.round`, "differs", String(other.round), String(round));
}

function closeOf(record: RoundRecord, facts: readonly Fact[], batches: readonly Batch[]): Fact<"BettingClosed"> | undefined {
  const [closed, again] = facts.filter(is("BettingClosed"));
  if (again) throw new Unproven(`${again.where}.t`, "comes_twice", again.t);
  if (closed && closed.round !== record.round) throw new Unproven(`${closed.where}.round`, "differs", String(closed.round), String(record.round));
  if (closed && batches[closed.batch]!.facts.at(-1) !== closed) throw new Unproven(`${closed.where}.t`, "out_of_place", closed.t);
  const card = facts.find(is("CardDealt", "CardBurnt"));
  if (card && (!closed || facts.indexOf(card) < facts.indexOf(closed))) throw new Unproven(`${card.where}.t`, "out_of_place", card.t);
  return closed;
}
