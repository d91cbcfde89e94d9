import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Batch, Snapshot } from "$tapete";
import { readFrame } from "../src/wire/codec";
import { Mirror } from "../src/wire/mirror";

/** Written by the server's core: a snapshot, then batches, each with the snapshot after it. */
const LOG = process.env.TAPETE_ROUNDS_LOG;
/** A thousand rounds, on a machine that does other things. */
const LONG_MS = 600_000;

function* framesOf(file: string): Generator<Uint8Array> {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    yield new Uint8Array(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

function frame<T>(bytes: Uint8Array): T {
  const read = readFrame(bytes);
  if (read.kind !== "frame") throw new Error(`unreadable: ${read.kind}`);
  return read.frame as T;
}

test.skipIf(!LOG)("after each batch of real rounds the view is the server's", () => {
  const frames = framesOf(LOG ?? "");
  const mirror = new Mirror();
  mirror.snapshot(frame<Snapshot>(frames.next().value as Uint8Array));
  let settled = 0;
  for (let next = frames.next(); !next.done; next = frames.next()) {
    const batch = frame<Batch>(next.value);
    expect(mirror.batch(batch, next.value)).toBe("joined");
    const there = frame<Snapshot>(frames.next().value as Uint8Array);
    expect(mirror.view).toEqual(there.view);
    expect(mirror.head).toEqual(there.head);
    settled += batch.events.filter((event) => event.t === "RoundSettled").length;
  }
  console.log(`rounds: ${settled}`);
  expect(settled).toBeGreaterThan(Number(process.env.TAPETE_ROUNDS_MIN ?? 1));
}, LONG_MS);
