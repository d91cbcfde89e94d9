import { expect, test } from "vitest";
import { ask, bigRoad, type Coup, derivedRoad, placed, runs, type Side } from "../src/roads/roads";

const coups = (text: string): Coup[] =>
  [...text].map((winner) => ({ winner: winner as Side | "T", natural: false, punto_pair: false, banca_pair: false }));
const derived = (text: string) => ([1, 2, 3] as const).map((k) => derivedRoad(bigRoad(coups(text)), k).join(""));

test.each([
  ["BPP", ["B", "", ""]],
  ["BBPP", ["R", "", ""]],
  ["BPB", ["R", "", ""]],
  ["BPPPPB", ["BRRB", "", ""]],
  ["BBPPPBPBB", ["RBBBRB", "BBB", "BR"]],
  ["BPBPBPBP", ["RRRRRR", "RRRRR", "RRRR"]],
])("%s", (text, marks) => {
  const found = derived(text);
  expect(found[0]).toBe(marks[0]);
  if (marks[1]) expect(found.slice(1)).toEqual(marks.slice(1));
});

test("a long streak and what comes after it", () => {
  expect(derived("BBBBBBBBBPPPPPPPB")[0]).toBe("RRRRRRB");
});

test("ties mark the last cell, and before the first decision the first one", () => {
  expect(bigRoad(coups("TTBTPT")).map((column) => column.map((cell) => cell.ties))).toEqual([[3], [1]]);
  expect(bigRoad(coups("TT"))).toEqual([]);
});

test("both asks are absent, or opposite", () => {
  let text = "";
  let state = 7;
  for (let coup = 0; coup < 200; coup++) {
    const [banca, punto] = [ask(coups(text), "B"), ask(coups(text), "P")];
    banca.forEach((mark, road) => {
      if (mark === undefined) expect(punto[road]).toBeUndefined();
      else expect(punto[road]).toBe(mark === "R" ? "B" : "R");
    });
    state = (state * 48271) % 2147483647;
    text += "BPBPT"[state % 5];
  }
});

test("marks are only ever added", () => {
  const text = "BBPPPBPBBTPPPPPPPPBBPBPBPPP";
  for (let length = 1; length < text.length; length++) {
    const [now, then] = [derived(text.slice(0, length)), derived(text.slice(0, length + 1))];
    now.forEach((marks, road) => expect(then[road]?.startsWith(marks)).toBe(true));
  }
});

test("a streak turns right at the last row and at a cell, and the next begins after where it began", () => {
  const where = (text: string) => placed(bigRoad(coups(text))).map(({ x, y }) => [x, y]);
  expect(where("BBBBBBBB").slice(-3)).toEqual([[0, 5], [1, 5], [2, 5]]);
  expect(where("BBBBBBBBP").at(-1)).toEqual([1, 0]);
  expect(where("BBBBBBBBPPPPPP").slice(-2)).toEqual([[1, 4], [2, 4]]);
  expect(runs(["R", "R", "B", "R"])).toEqual([["R", "R"], ["B"], ["R"]]);
});
