/** What a check says when a record does not hold: where, and what is wrong there. The words are in `words/`. */

export type Fault =
  | "not_a_record"
  | "newer_format"
  | "absent"
  | "malformed"
  | "not_canonical"
  | "unknown_event"
  | "differs"
  | "hash_differs"
  | "out_of_place"
  | "comes_twice"
  | "not_told"
  | "illegal"
  | "not_the_holder"
  | "outside_limits"
  | "below_zero"
  | "cards_run_out"
  | "shoe_unknown"
  | "no_reveals_here"
  | "batch_differs";

export class Unproven extends Error {
  /** `where` is a field of the record, as `batches[4].events[2].card`; `found` and `wanted` are values as a person reads them. */
  constructor(
    readonly where: string,
    readonly fault: Fault,
    readonly found?: string,
    readonly wanted?: string,
  ) {
    super(`${where}: ${fault}${found === undefined ? "" : ` (${found}${wanted === undefined ? "" : `, not ${wanted}`})`}`);
  }
}

/** A value as it stands in a message. */
export function shown(value: unknown): string {
  if (value instanceof Uint8Array) return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{${Object.entries(value).map(([key, one]) => `${key}: ${shown(one)}`).join(", ")}}`;
  return String(value);
}
