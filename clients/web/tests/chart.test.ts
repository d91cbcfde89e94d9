import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BoxFelt, HandView, TableView } from "$tapete";
import { adviceOf, best, columnOf, type DoubleExposureOdds, rowOf } from "../src/state/chart";
import { judge } from "../src/state/judge";
import { type DoubleExposureRules, rulesOf } from "../src/state/rules";
import { otherTableaux, STOOD } from "../src/state/tableau";

const SHIPPED = join(__dirname, "../../../server/tapete_odds/shipped");
const file = readdirSync(SHIPPED).find((name) => /^[0-9a-f]{64}\.json$/.test(name))!;
const odds = JSON.parse(readFileSync(join(SHIPPED, file), "utf8")) as DoubleExposureOdds;
const rules = rulesOf("double_exposure", "{}") as DoubleExposureRules;

const handOf = (cards: string[], total: number, soft = false): HandView => ({ cards, total, soft, stake: 1000, doubled: false, returned: 0 });
const boxOf = (hand: HandView, sevens = 0): BoxFelt => ({ box: 1, staked: 1000, hands: [hand], spots: sevens ? [{ spot: "sevens", stake: sevens, returned: 0 }] : [] });
const viewOf = (box: BoxFelt, dealer: { cards: string[]; total: number; soft: boolean }, legal: string[]) =>
  ({ felt: { boxes: [box], dealer, turn: { box: 1, hand: 0, owner: "me", legal } } }) as unknown as TableView;

test("a hand is found in the chart as Python finds it", () => {
  expect([rowOf(["8C", "8D"]), rowOf(["TC", "KD"]), rowOf(["AC", "6D"]), rowOf(["AC", "6D", "TH"]), rowOf(["AC", "AD"])]).toEqual(["pair 8", "pair T", "soft 17", "hard 17", "pair A"]);
  expect([columnOf(["AC", "AD"]), columnOf(["9C", "2D", "TD"])]).toEqual(["soft 12", "hard 11"]);
  for (const columns of Object.values(odds.strategy)) for (const worth of Object.values(columns)) expect(worth[best(worth)]).toBe(Math.max(...Object.values(worth)));
});

test("the open sevens make a hit of 7-7 right", () => {
  const hand = handOf(["7C", "7D"], 14);
  const legal = ["hit", "stand", "stand_all", "split"];
  const without = adviceOf(odds, rules, boxOf(hand), hand, ["TH", "5C"], legal)!;
  const withThem = adviceOf(odds, rules, boxOf(hand, 1000), hand, ["TH", "5C"], legal)!;
  expect(best(without)).toBe("split");
  expect(best(withThem)).toBe("hit");
  expect(withThem.hit! - without.hit!).toBeCloseTo((1000 * 210 * 22) / 308, 6);
});

test("half a bet is a very bad decision, and so is a dominated one; the best never is", () => {
  const eleven = handOf(["5C", "6D"], 11);
  const dealer = { cards: ["TC", "7D"], total: 17, soft: false };
  const legal = ["hit", "stand", "stand_all", "double"];
  const view = viewOf(boxOf(eleven), dealer, legal);
  const advice = adviceOf(odds, rules, boxOf(eleven), eleven, dealer.cards, legal)!;
  expect(judge(view, "stand", advice)?.why).toBe("cannotBust");
  expect(judge(view, "hit", advice)).toBeUndefined();
  const twelve = handOf(["TC", "2D"], 12);
  const close = { cards: ["5H", "2D"], total: 7, soft: false };
  const near = adviceOf(odds, rules, boxOf(twelve), twelve, close.cards, ["hit", "stand"])!;
  expect(judge(viewOf(boxOf(twelve), close, ["hit", "stand"]), "stand", near)).toBeUndefined();
  const tens = handOf(["TC", "TD"], 20);
  const weak = { cards: ["TH", "2D"], total: 12, soft: false };
  const bad = adviceOf(odds, rules, boxOf(tens), tens, weak.cards, ["hit", "stand", "split"])!;
  expect(judge(viewOf(boxOf(tens), weak, ["hit", "stand", "split"]), "hit", bad)?.advice).toBe(bad);
});

test("a dealer who draws to a soft 17 has not stood yet", () => {
  const hand = handOf(["TC", "6D"], 16);
  const view = viewOf(boxOf(hand), { cards: ["AC", "6D"], total: 17, soft: true }, ["hit", "stand"]);
  expect(judge(view, "stand", undefined, false)?.why).toBe("lost");
  expect(judge(view, "stand", undefined, true)).toBeUndefined();
});

test("what the other tableaux would have said, cell by cell", () => {
  const six = otherTableaux("reglamento", 6, ["2C", "3D", "6H"]);
  expect(six).toEqual([
    { name: "europacasino", seed: "000", looks_at: "three_card_total", column: 1, draws: false },
    { name: "casinoonnet", seed: "001", looks_at: "three_card_total", column: 1, draws: false },
  ]);
  expect(otherTableaux("europacasino", 4, ["6C", "TD"]).map(({ column, draws }) => [column, draws])).toEqual([[STOOD, true], [STOOD, false]]);
});
