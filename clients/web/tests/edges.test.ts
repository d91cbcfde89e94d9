import { expect, test } from "vitest";
import { doubleExposureEdges, puntoBancoEdges } from "../src/state/edges";
import { type DoubleExposureRules, type PuntoBancoRules, rulesOf } from "../src/state/rules";

const edges = (document: object) => puntoBancoEdges(rulesOf("punto_banco", JSON.stringify(document)) as PuntoBancoRules);

test("the exact edges are those that the command line prints", () => {
  const found = edges({});
  const printed = { punto: 1.2351, banca: 1.0579, tie: 14.3596, punto_pair: 10.3614, banca_pair: 10.3614 };
  for (const [spot, percent] of Object.entries(printed)) expect(100 * found[spot]!).toBeCloseTo(percent, 4);
});

test("two of the published rules favour punto", () => {
  expect(100 * edges({ tableau: "europacasino" }).punto!).toBeCloseTo(-1.76, 2);
  expect(edges({ tableau: "casinoonnet" })).toEqual(edges({ tableau: "europacasino" }));
});

test("without commission a winning six is what the house lives on", () => {
  expect(100 * edges({ commission: false }).banca!).toBeCloseTo(1.4579, 3);
});

test("the bonus bets of Double Exposure", () => {
  const found = doubleExposureEdges(rulesOf("double_exposure", "{}") as DoubleExposureRules);
  expect(100 * found.blackjack).toBeCloseTo(5.02, 2);
  expect(100 * found.sevens).toBeCloseTo(4.497, 3);
});
