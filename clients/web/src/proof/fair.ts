/** The formulas of the fair deal, as `protocol/README.md` has them. */

import { sha256 } from "../wire/sha256";
import { bigEndian, joined, tagged, text } from "./bytes";
import { blocks, extract } from "./hkdf";

const CARDS = text("tapete/1/cards");
const WORDS_IN_A_BLOCK = 8;

/** A player's part in the salt: the 32 bytes, or where they are missing, what the player was bound to. */
export interface Part {
  /** The lowest box with a bet of the player. */
  readonly box: number;
  readonly commitment: Uint8Array;
  readonly entropy?: Uint8Array;
}

export const houseCommitment = (secret: Uint8Array): Uint8Array => sha256(secret);

export function playerCommitment(table: string, round: number, player: string, entropy: Uint8Array): Uint8Array {
  return sha256(tagged(text("tapete/1/entropy"), text(table), bigEndian(round, 8), text(player), entropy));
}

/** `parts` is absent at a table without reveals, and empty where nobody is bound to anything. */
export function saltOf(closeHead: Uint8Array, settingsHash: Uint8Array, parts?: readonly Part[]): Uint8Array {
  if (parts === undefined) return sha256(tagged(text("tapete/1/salt"), closeHead, settingsHash));
  const inOrder = [...parts].sort((one, other) => one.box - other.box);
  return sha256(tagged(text("tapete/2/salt"), closeHead, settingsHash, ...inOrder.map(written)));
}

function written({ box, commitment, entropy }: Part): Uint8Array {
  return entropy ? joined(Uint8Array.of(box, 1), entropy) : joined(Uint8Array.of(box, 0), commitment);
}

/** The round's words: numbers below 2^32, at most 2040 of them. */
export function* wordsOf(secret: Uint8Array, salt: Uint8Array): Generator<number, void> {
  for (const block of blocks(extract(salt, secret), CARDS)) {
    const view = new DataView(block.buffer, block.byteOffset);
    for (let place = 0; place < WORDS_IN_A_BLOCK; place++) yield view.getUint32(4 * place);
  }
}
