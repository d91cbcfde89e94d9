/** Frames from bytes and back. What a client makes of bad ones is shared with Python: `protocol/vectors/bad_frames.json`. */

import { decode, encode } from "@msgpack/msgpack";
import { type Command, type Frame, LIMITS, SHAPES, type Shapes } from "$tapete";

const shapes: Shapes = SHAPES;

/** Bytes that are no frame of this protocol: the connection is to be given up. */
export class BadFrame extends Error {}

/** A batch with an event of a newer release: only a snapshot helps. */
class UnknownEvent extends Error {
  constructor(readonly event: string) {
    super(event);
  }
}

type Fields = Record<string, unknown>;

export type Read =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "ignored"; readonly what: string }
  | { readonly kind: "resync"; readonly table: string; readonly event: string };

export function writeCommand(command: Command): Uint8Array<ArrayBuffer> {
  return encode(command, { ignoreUndefined: true }) as Uint8Array<ArrayBuffer>;
}

/** Raises `BadFrame`. */
export function readFrame(bytes: Uint8Array): Read {
  const map = readMap(bytes);
  const kind = text(map, "t");
  if (!(kind in FRAME_KINDS)) return { kind: "ignored", what: kind };
  try {
    return { kind: "frame", frame: { t: kind, ...struct(kind, map) } as unknown as Frame };
  } catch (wrong) {
    if (wrong instanceof UnknownEvent) return { kind: "resync", table: text(map, "table"), event: wrong.event };
    throw wrong;
  }
}

function readMap(bytes: Uint8Array): Fields {
  if (bytes.length > LIMITS.FRAME_BYTES_MAX) throw new BadFrame("too big");
  let read: unknown;
  try {
    read = decode(bytes, {
      maxStrLength: LIMITS.FRAME_STR_BYTES_MAX,
      maxBinLength: LIMITS.FRAME_BIN_BYTES_MAX,
      maxArrayLength: LIMITS.FRAME_ARRAY_ITEMS_MAX,
      maxMapLength: LIMITS.FRAME_MAP_FIELDS_MAX,
      maxExtLength: 0,
    });
  } catch {
    throw new BadFrame("no msgpack");
  }
  return fields(read);
}

const FRAME_KINDS: Readonly<Record<Frame["t"], true>> = {
  Welcome: true,
  Ack: true,
  Refused: true,
  Batch: true,
  Snapshot: true,
  Place: true,
  Advice: true,
  Wallet: true,
  Heartbeat: true,
  Crowd: true,
  Lobby: true,
  Gone: true,
  StoreState: true,
};

function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    throw new BadFrame("no map");
  }
  return value as Fields;
}

function text(map: Fields, name: string): string {
  const value = map[name];
  if (typeof value !== "string") throw new BadFrame(`${name} is no text`);
  return value;
}

/** The known fields of a map of this kind; unknown ones are ignored. */
function struct(kind: string, map: Fields): Fields {
  const made: Fields = {};
  for (const [name, said] of Object.entries(shapes[kind] as Shapes[string])) {
    const shape = typeof said === "string" ? said : said[0];
    const value = map[name];
    if (value !== undefined) made[name] = checked(shape.replace(/\?$/, ""), value, `${kind}.${name}`);
    else if (typeof said !== "string") made[name] = said[1];
    else if (!shape.endsWith("?")) throw new BadFrame(`${kind} has no ${name}`);
  }
  return made;
}

function checked(shape: string, value: unknown, where: string): unknown {
  if (shape.endsWith("|n") && !shape.startsWith("[")) return value === null ? null : checked(shape.slice(0, -2), value, where);
  if (shape.startsWith("[")) return list(value, where).map((one) => checked(shape.slice(1), one, where));
  if (shape.startsWith("(")) return tuple(shape.slice(1, -1), list(value, where), where);
  const simple = SIMPLE[shape];
  if (simple === undefined) return struct(shape, fields(value));
  if (!simple(value)) throw new BadFrame(`${where} is wrong`);
  return shape === "e" ? event(value) : value;
}

const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  i: Number.isSafeInteger,
  s: (value) => typeof value === "string",
  b: (value) => typeof value === "boolean",
  y: (value) => value instanceof Uint8Array,
  m: (value) => fields(value) === value,
  e: (value) => fields(value) === value,
};

function list(value: unknown, where: string): unknown[] {
  if (!Array.isArray(value)) throw new BadFrame(`${where} is no list`);
  return value;
}

function tuple(letters: string, values: unknown[], where: string): unknown[] {
  if (values.length !== letters.length) throw new BadFrame(`${where} has ${values.length} items`);
  return values.map((one, place) => checked(letters[place] as string, one, where));
}

function event(value: unknown): Fields {
  const map = value as Fields;
  const kind = text(map, "t");
  if (!(kind in shapes) || kind in FRAME_KINDS) throw new UnknownEvent(kind);
  return { t: kind, ...struct(kind, map) };
}
