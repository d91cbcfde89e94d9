import { expect, test } from "vitest";
import { ask, bigRoad, type Cell, type Coup, derivedRoad, type Mark, placed, runs, type Side } from "../src/roads/roads";
import { vectors } from "./vectors";

interface Case {
  why?: string;
  coups: string;
  big_road: string;
  big_eye_boy: string;
  small_road: string;
  cockroach_road: string;
  ask_banca: string;
  ask_punto: string;
  drawn_big_road: string;
  drawn_big_eye_boy: string;
  drawn_small_road: string;
  drawn_cockroach_road: string;
}

/** A letter for who won, and after it n, b, p: a natural, a pair of banca, a pair of punto. */
const coupsOf = (text: string): Coup[] =>
  (text.match(/[BPT][nbp]*/g) ?? []).map((coup) => ({
    winner: coup[0] as Side | "T",
    natural: coup.includes("n"),
    banca_pair: coup.includes("b"),
    punto_pair: coup.includes("p"),
  }));
const written = ({ side, coup, ties }: Cell) =>
  `${side}${coup.natural ? "n" : ""}${coup.banca_pair ? "b" : ""}${coup.punto_pair ? "p" : ""}${"T".repeat(ties)}`;
const drawn = (cells: readonly { x: number; y: number }[]) => cells.map(({ x, y }) => `${x},${y}`).join(" ");
const asked = (marks: readonly (Mark | undefined)[]) => marks.map((mark) => mark ?? "-").join("");

test("the roads are those of Python, marks and drawing", () => {
  const { cases, shoes } = vectors<{ cases: Case[]; shoes: Case[] }>("roads.json");
  expect(cases.length).toBeGreaterThan(20);
  expect(shoes.length).toBeGreaterThan(20);
  for (const one of [...cases, ...shoes]) {
    const coups = coupsOf(one.coups);
    const columns = bigRoad(coups);
    const marks = ([1, 2, 3] as const).map((k) => derivedRoad(columns, k));
    const found = {
      big_road: columns.map((column) => column.map(written).join("")).join(" "),
      big_eye_boy: marks[0]?.join(""),
      small_road: marks[1]?.join(""),
      cockroach_road: marks[2]?.join(""),
      ask_banca: asked(ask(coups, "B")),
      ask_punto: asked(ask(coups, "P")),
      drawn_big_road: drawn(placed(columns)),
      drawn_big_eye_boy: drawn(placed(runs(marks[0] ?? []))),
      drawn_small_road: drawn(placed(runs(marks[1] ?? []))),
      drawn_cockroach_road: drawn(placed(runs(marks[2] ?? []))),
    };
    for (const [road, marks] of Object.entries(found)) {
      expect(one[road as keyof Case] === marks, `${one.why ?? one.coups}: ${road} is ${marks}`).toBe(true);
    }
  }
});
