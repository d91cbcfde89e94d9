/** HMAC (RFC 2104) and HKDF (RFC 5869) with SHA-256, for browsers on plain http, which have none of their own. */

import { sha256 } from "../wire/sha256";
import { joined } from "./bytes";

const BLOCK_BYTES = 64;
const HKDF_BLOCKS_MAX = 255;

export function hmac(key: Uint8Array, ...message: readonly Uint8Array[]): Uint8Array {
  const short = key.length > BLOCK_BYTES ? sha256(key) : key;
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(short);
  const pad = (mask: number) => padded.map((byte) => byte ^ mask);
  return sha256(pad(0x5c), sha256(pad(0x36), ...message));
}

export const extract = (salt: Uint8Array, secret: Uint8Array): Uint8Array => hmac(salt, secret);

/** The blocks of the expansion, one after another, and no more than there can be. */
export function* blocks(key: Uint8Array, info: Uint8Array): Generator<Uint8Array, void> {
  let last: Uint8Array = new Uint8Array(0);
  for (let number = 1; number <= HKDF_BLOCKS_MAX; number++) {
    last = hmac(key, last, info, Uint8Array.of(number));
    yield last;
  }
}

export function expand(key: Uint8Array, info: Uint8Array, bytes: number): Uint8Array {
  const made: Uint8Array[] = [];
  for (const block of blocks(key, info)) {
    if (made.length * block.length >= bytes) break;
    made.push(block);
  }
  return joined(...made).slice(0, bytes);
}
