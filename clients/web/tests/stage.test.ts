import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Event, TableView } from "$tapete";
import { beatsOf, movesMs, SWEEP_MS } from "../src/state/beats";
import { Stage } from "../src/state/stage.svelte";

const view = { felt: { shoe: { left: 300, dealt: 12 }, boxes: [], third: [], standing: [] } } as unknown as TableView;
const card = { t: "CardDealt", place: "dealer", box: 0, hand: 0, card: "9S", total: 9, soft: false, word: 1 } as Event;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function told(...events: Event[]): Stage {
  const stage = new Stage({ shown: () => undefined }, () => 1, () => false);
  stage.jump(view);
  stage.tell(events, view);
  return stage;
}

describe("the stage", () => {
  const beat_ms = beatsOf([card])[0]!.ms;

  test("is busy until the last card has turned", () => {
    const stage = told(card);
    vi.advanceTimersByTime(beat_ms);
    expect(stage.busy).toBe(true);
    vi.advanceTimersByTime(movesMs([card]) - beat_ms - 1);
    expect(stage.busy).toBe(true);
    vi.advanceTimersByTime(1);
    expect(stage.busy).toBe(false);
  });

  test("does not let what is told wait for a card that still turns", () => {
    const stage = told(card);
    vi.advanceTimersByTime(beat_ms);
    stage.tell([card], view);
    expect(stage.view?.felt.dealer?.cards).toEqual(["9S", "9S"]);
  });

  test("is at rest at once where the table is shown without a story", () => {
    const stage = told(card);
    stage.jump(view);
    expect(stage.busy).toBe(false);
    vi.runAllTimers();
    expect(stage.view).toBe(view);
  });

  test("gives chips that are paid their whole way", () => {
    expect(movesMs([{ t: "SpotSettled" } as Event, card])).toBe(SWEEP_MS);
    expect(movesMs([{ t: "RoundSettled" } as Event])).toBe(0);
  });
});
