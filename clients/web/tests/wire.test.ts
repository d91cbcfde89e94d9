import { createHash } from "node:crypto";
import { decode } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import type { Command } from "$tapete";
import { fromHex, genesis, hex, nextHead } from "../src/wire/chain";
import { BadFrame, readFrame, writeCommand } from "../src/wire/codec";
import { advisedMs, backoffMs } from "../src/wire/patience";
import { sha256 } from "../src/wire/sha256";
import { plain, unplain, vectors } from "./vectors";

interface Vector {
  hex: string;
  plain: Record<string, unknown>;
}

test("every kind of frame is read as Python means it", () => {
  const frames = vectors<Vector[]>("frames.json");
  expect(frames.length).toBeGreaterThan(12);
  for (const { hex: bytes, plain: meant } of frames) {
    const read = readFrame(fromHex(bytes));
    expect(read.kind).toBe("frame");
    if (read.kind === "frame") expect(plain(read.frame)).toEqual(meant);
  }
});

test("every kind of command is written with the fields that Python writes", () => {
  for (const { hex: bytes, plain: meant } of vectors<Vector[]>("commands.json")) {
    const written = writeCommand(unplain(meant) as unknown as Command);
    expect(plain(decode(written))).toEqual(plain(decode(fromHex(bytes))));
  }
});

test("bad frames close the line, are ignored, or ask for a snapshot", () => {
  for (const bad of vectors<{ why: string; hex: string; close?: number; ignored?: string; resync?: string; event?: string }[]>("bad_frames.json")) {
    if (bad.close !== undefined) expect(() => readFrame(fromHex(bad.hex)), bad.why).toThrow(BadFrame);
    else if (bad.ignored !== undefined) expect(readFrame(fromHex(bad.hex))).toEqual({ kind: "ignored", what: bad.ignored });
    else expect(readFrame(fromHex(bad.hex))).toEqual({ kind: "resync", table: bad.resync, event: bad.event });
  }
});

test("the chain of heads is the one of the vectors", () => {
  const chain = vectors<{ table: string; genesis: string; batches: { hex: string; head: string; plain: { prev: unknown } }[] }>("batches.json");
  let head = genesis(chain.table);
  expect(hex(head)).toBe(chain.genesis);
  for (const batch of chain.batches) {
    expect(plain(head)).toEqual(batch.plain.prev);
    head = nextHead(head, fromHex(batch.hex));
    expect(hex(head)).toBe(batch.head);
  }
});

test("our SHA-256 is everybody's, at each length around a block", () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 31 + length) & 255);
    const known = createHash("sha256").update(bytes).digest("hex");
    expect(hex(sha256(bytes))).toBe(known);
    expect(hex(sha256(bytes.slice(0, length >> 1), bytes.slice(length >> 1)))).toBe(known);
  }
});

test("close codes say whether to come back, and how soon", () => {
  expect(advisedMs(4503)).toBeNull();
  expect(advisedMs(4004)).toBe(15_000);
  expect(advisedMs(1006)).toBe(0);
  expect(backoffMs(0, 0)).toBe(200);
  expect(backoffMs(1, 1, 1000)).toBe(2000);
  expect(backoffMs(30, 1)).toBe(15_000);
});
