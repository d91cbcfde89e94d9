/** The chain of heads over a table's batches: who keeps the last one knows that nothing was altered. */

import { sha256 } from "./sha256";

const utf8 = new TextEncoder();

export function genesis(table: string): Uint8Array {
  return sha256(utf8.encode(`tapete/1/genesis${table}`));
}

/** The head after a batch, from its very bytes. */
export function nextHead(before: Uint8Array, frame: Uint8Array): Uint8Array {
  return sha256(before, frame);
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
