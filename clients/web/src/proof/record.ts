/** A round's record, from a file or from a node: the map of the protocol, in MessagePack or in JSON. */

import { decode, encode } from "@msgpack/msgpack";
import { same } from "./bytes";
import { type Fact, readFact } from "./facts";
import { type Fields, type Map_, bytes, list, map, natural, nullable, raw, struct, whole, words } from "./fields";
import { Unproven, shown } from "./unproven";

/** Of records and of batches: what this checker can read. */
const RECORD_SCHEMA_MAX = 2;
const BATCH_SCHEMA_MAX = 1;
export const RECORDS_MAX = 10_000;

export interface Start {
  readonly boxes: readonly (string | null)[];
  readonly stacks: readonly (readonly [string, number])[];
  readonly left?: readonly number[];
  readonly coup?: number;
  readonly last_coup?: number;
}

export interface RoundRecord {
  readonly schema: number;
  readonly table: string;
  readonly round: number;
  readonly settings: string;
  readonly settings_hash: Uint8Array;
  readonly start?: Start;
  readonly batches: readonly Uint8Array[];
  readonly head?: Uint8Array;
}

const batchShape = struct({ table: words, v: whole, prev: raw });
export type Batch = Fields<{ table: typeof words; v: typeof whole; prev: typeof raw }> & { readonly facts: readonly Fact[] };

/** What a file holds: one record, or several in the order of their rounds; each still to be read. Raises `Unproven`. */
export function recordsIn(file: Uint8Array): unknown[] {
  const found = parsed(file);
  const several = Array.isArray(found) ? found : [found];
  if (several.length === 0 || several.length > RECORDS_MAX) throw new Unproven("", "not_a_record");
  return several.map(unwrapped).sort(inOrder);
}

/** Where there are several records: those of a table together, and the rounds one after another. */
function inOrder(one: unknown, other: unknown): number {
  const [first, second] = [labelOf(one), labelOf(other)];
  return first.table < second.table ? -1 : first.table > second.table ? 1 : first.round - second.round;
}

/** What a record says of itself, as far as it can be read. */
export function labelOf(value: unknown): { readonly table: string; readonly round: number } {
  const { table, round } = typeof value === "object" && value !== null ? (value as Map_) : {};
  return { table: typeof table === "string" ? table : "", round: typeof round === "number" ? round : 0 };
}

function parsed(file: Uint8Array): unknown {
  try {
    const first = file.find((byte) => byte > 0x20);
    return first === 0x7b || first === 0x5b ? JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(file)) : decode(file);
  } catch {
    throw new Unproven("", "not_a_record");
  }
}

/** The API's list has each record beside its number. */
function unwrapped(value: unknown): unknown {
  return typeof value === "object" && value !== null && "record" in value ? value.record : value;
}

export function readRecord(value: unknown): RoundRecord {
  const from = asMap(value);
  const schema = natural(from.schema, "schema");
  if (schema < 1 || schema > RECORD_SCHEMA_MAX) throw new Unproven("schema", "newer_format", String(schema));
  const record = {
    schema,
    table: words(from.table, "table"),
    round: natural(from.round, "round"),
    settings: words(from.settings, "settings"),
    settings_hash: bytes(from.settings_hash, "settings_hash"),
    batches: list(bytes)(from.batches, "batches"),
  };
  if (record.batches.length === 0) throw new Unproven("batches", "absent");
  return schema === 1 ? record : { ...record, start: readStart(from.start), head: bytes(from.head, "head") };
}

function asMap(value: unknown): Map_ {
  try {
    return map(value, "");
  } catch {
    throw new Unproven("", "not_a_record");
  }
}

function readStart(value: unknown): Start {
  const from = map(value, "start");
  const pair = list<unknown>((one) => one);
  const some = { left: from.left, coup: from.coup, last_coup: from.last_coup };
  return {
    boxes: list(nullable(words))(from.boxes, "start.boxes"),
    stacks: list((one, where) => stackOf(pair(one, where), where))(from.stacks, "start.stacks"),
    ...(some.left == null ? {} : { left: [...bytes(some.left, "start.left")] }),
    ...(some.coup == null ? {} : { coup: natural(some.coup, "start.coup") }),
    ...(some.last_coup == null ? {} : { last_coup: natural(some.last_coup, "start.last_coup") }),
  };
}

function stackOf(pair: readonly unknown[], where: string): readonly [string, number] {
  if (pair.length !== 2) throw new Unproven(where, "malformed", shown(pair));
  return [words(pair[0], where), natural(pair[1], where)];
}

export function readBatch(frame: Uint8Array, number: number): Batch {
  const where = `batches[${number}]`;
  const from = map(unpacked(frame, where), where);
  const schema = from.schema === undefined ? 1 : whole(from.schema, `${where}.schema`);
  if (schema > BATCH_SCHEMA_MAX) throw new Unproven(`${where}.schema`, "newer_format", String(schema));
  if (from.t !== "Batch") throw new Unproven(`${where}.t`, "differs", shown(from.t), "Batch");
  const events = list<unknown>((one) => one)(from.events, `${where}.events`);
  return { ...batchShape(from, where), facts: events.map((event, place) => readFact(event, number, `${where}.events[${place}]`)) };
}

/** Only bytes that a node writes: the shortest form, no key twice, nothing after the map. Others could be read in two ways. */
function unpacked(frame: Uint8Array, where: string): unknown {
  let read: unknown;
  let again: Uint8Array;
  try {
    read = decode(frame);
    again = encode(read);
  } catch {
    throw new Unproven(where, "malformed");
  }
  if (!same(again, frame)) throw new Unproven(where, "not_canonical");
  return read;
}
