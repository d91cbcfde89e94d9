/** Bytes as the formulas of the fair deal write them. */

const utf8 = new TextEncoder();

export const text = (words: string): Uint8Array => utf8.encode(words);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A whole number, big-endian, in so many bytes. */
export function bigEndian(value: number, bytes: number): Uint8Array {
  const written = new Uint8Array(bytes);
  for (let place = bytes - 1, rest = value; place >= 0; place--, rest = Math.floor(rest / 256)) written[place] = rest % 256;
  return written;
}

/** Each part with its length in two bytes before it. */
export function tagged(...parts: readonly Uint8Array[]): Uint8Array {
  return joined(...parts.flatMap((part) => [bigEndian(part.length, 2), part]));
}

export function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Undefined where the text is not hexadecimal. */
export function fromHex(digits: string): Uint8Array | undefined {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let place = 0; place < bytes.length; place++) bytes[place] = Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16);
  return bytes;
}
