/** SHA-256 (FIPS 180-4). Browsers have their own only on https and on localhost, and a table in the living room is neither. */

const ROUNDS = 64;

/** The first 32 bits of the fractional parts of roots of the first primes: square roots begin the state, cube roots the rounds. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) prime = false;
    if (prime) found.push((root(number) % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

const START = fractions(8, Math.sqrt);
const KEYS = fractions(ROUNDS, Math.cbrt);

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const message = padded(parts);
  const state = START.slice();
  const words = new Uint32Array(ROUNDS);
  for (let block = 0; block < message.byteLength; block += 64) compress(state, words, message, block);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** The parts, one bit, zeros, and the length in bits, in whole blocks of 64 bytes. */
function padded(parts: readonly Uint8Array[]): DataView {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(bytes.length - 4, length * 8);
  return view;
}

function compress(state: Uint32Array, words: Uint32Array, message: DataView, block: number): void {
  for (let round = 0; round < ROUNDS; round++) {
    words[round] = round < 16 ? message.getUint32(block + 4 * round) : mixed(words, round);
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < ROUNDS; round++) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + KEYS[round]! + words[round]!) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    state[place] = (state[place]! + word) | 0;
  });
}

function mixed(words: Uint32Array, round: number): number {
  const far = words[round - 15]!;
  const near = words[round - 2]!;
  const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  return words[round - 16]! + low + words[round - 7]! + high;
}
