import { readFileSync } from "node:fs";

/** A file of vectors that Python's tests read, too. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../protocol/vectors/${name}`, import.meta.url), "utf8")) as T;
}

/** Plain values as the vectors write them: bytes are `{"$hex": ".."}`. */
export function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

export function unplain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unplain);
  if (typeof value !== "object" || value === null) return value;
  if ("$hex" in value) return Uint8Array.from(Buffer.from(String(value.$hex), "hex"));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unplain(one)]));
}
