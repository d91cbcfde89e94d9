import { afterEach, expect, test, vi } from "vitest";
import { awaitOdds, type DoubleExposureOdds } from "../src/state/chart";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A node that knows nothing so many times. */
function nodeThatLearns(unknown: number): () => number {
  let asked = 0;
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return { ok: true, json: async () => (asked > unknown ? { game: "double_exposure" } : { unknown: "not yet" }) };
  });
  return () => asked;
}

test("odds that nobody knows yet are asked for again, ever more rarely, until they are there", async () => {
  const asked = nodeThatLearns(3);
  const told: (DoubleExposureOdds | undefined)[] = [];
  awaitOdds("peña", (found) => told.push(found));
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([undefined]);
  await vi.advanceTimersByTimeAsync(4_000 * 1.25);
  await vi.advanceTimersByTimeAsync(8_000 * 1.25);
  expect(asked()).toBe(3);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(told.map((found) => found?.game)).toEqual([undefined, undefined, undefined, "double_exposure"]);
});

test("who leaves asks no more", async () => {
  const asked = nodeThatLearns(99);
  const leave = awaitOdds("peña", () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked()).toBe(1);
});
