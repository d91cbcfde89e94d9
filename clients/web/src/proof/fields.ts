/** Reading single fields: each reader takes a value and where it stands, and gives it back typed, or raises `Unproven`. */

import { fromHex } from "./bytes";
import { Unproven, shown } from "./unproven";

export type Reader<T> = (value: unknown, where: string) => T;
export type Map_ = Readonly<Record<string, unknown>>;

function of<T>(is: (value: unknown) => boolean): Reader<T> {
  return (value, where) => {
    if (value === undefined) throw new Unproven(where, "absent");
    if (!is(value)) throw new Unproven(where, "malformed", shown(value));
    return value as T;
  };
}

export const whole = of<number>(Number.isSafeInteger);
export const natural = of<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0);
export const positive = of<number>((value) => Number.isSafeInteger(value) && (value as number) > 0);
export const words = of<string>((value) => typeof value === "string");
export const flag = of<boolean>((value) => typeof value === "boolean");
export const map = of<Map_>((value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array));
const array = of<readonly unknown[]>(Array.isArray);

/** Bytes, or in JSON their hexadecimal text. */
export const bytes: Reader<Uint8Array> = (value, where) => {
  if (value === undefined) throw new Unproven(where, "absent");
  const read = value instanceof Uint8Array ? value : typeof value === "string" ? fromHex(value) : undefined;
  if (read === undefined) throw new Unproven(where, "malformed", shown(value));
  return read;
};

/** Bytes only: nothing in a batch is hexadecimal. */
export const raw = of<Uint8Array>((value) => value instanceof Uint8Array);

export const list =
  <T>(reader: Reader<T>): Reader<readonly T[]> =>
  (value, where) =>
    array(value, where).map((one, place) => reader(one, `${where}[${place}]`));

export const nullable =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, where) =>
    value === null ? null : reader(value, where);

export const or =
  <T>(reader: Reader<T>, absent: T): Reader<T> =>
  (value, where) =>
    value === undefined ? absent : reader(value, where);

export type Fields<S> = { readonly [F in keyof S]: S[F] extends Reader<infer T> ? T : never };

/** The fields of a map that this reader knows; others are for newer readers. */
export const struct =
  <S extends Readonly<Record<string, Reader<unknown>>>>(shape: S): Reader<Fields<S>> =>
  (value, where) => {
    const from = map(value, where);
    return Object.fromEntries(Object.entries(shape).map(([name, reader]) => [name, reader(from[name], `${where}.${name}`)])) as Fields<S>;
  };
