import { beforeEach, describe, expect, test } from "vitest";
import type { TableView } from "$tapete";
import { playerCommitment } from "../src/proof/fair";
import { GIVEN_KEPT_MAX, type Shelf, givenTo, keepGiven } from "../src/state/given";
import { ENTROPY_BYTES, Part, type PartWorld, ROUNDS_KEPT_MAX } from "../src/state/part";
import { hex } from "../src/wire/chain";

const TABLE = "mesa";
const ME = "p-marta";
const HOUSE = new Uint8Array(32).fill(9);

class OneText implements Shelf {
  text: string | null = null;
  read = () => this.text;
  write = (text: string) => void (this.text = text);
}

/** A node that takes what is revealed, unless it is to refuse; and a player's page before it. */
class Felt implements PartWorld {
  player = ME;
  time = 1000;
  refuses = false;
  readonly revealed: [number, string][] = [];
  readonly complaints: [number, number, boolean][] = [];
  readonly tab = new OneText();
  readonly browser = new OneText();
  part = this.opened();
  private made = 0;

  opened(): Part {
    return new Part(TABLE, this, this.tab, this.browser, (size) => new Uint8Array(size).fill(++this.made));
  }
  me = () => this.player;
  now = () => this.time;
  denied = (...complaint: [number, number, boolean]) => void this.complaints.push(complaint);
  async reveal(round: number, entropy: Uint8Array): Promise<void> {
    this.revealed.push([round, hex(entropy)]);
    if (this.refuses) throw new Error("the connection is gone");
  }
}

const bytes = (n: number) => new Uint8Array(ENTROPY_BYTES).fill(n);
const bound = (n: number, round = 1, player = ME) => playerCommitment(TABLE, round, player, bytes(n));
const view = (changes: Partial<TableView> = {}) => ({ settings: '{"reveals":true}', round: 1, phase: "betting", commitment: HOUSE, contributions: [], ...changes }) as unknown as TableView;
const closing = (commitment: Uint8Array, entropy?: Uint8Array, round = 1) =>
  view({ round, phase: "closing", contributions: [{ player: ME, commitment, missing: false, ...(entropy ? { entropy } : {}) }] });
const ended = (round: number, ...missing: string[]) => ({ t: "EntropyClosed", round, missing }) as const;
const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

let felt: Felt;
beforeEach(() => {
  felt = new Felt();
});

describe("bound with the bet", () => {
  test("once in a round, however often the bet changes, and anew in the next", () => {
    expect([1, 1, 1].map(() => felt.part.commitment(view()))).toEqual([bound(1), bound(1), bound(1)]);
    expect(felt.part.commitment(view({ round: 2 }))).toEqual(bound(2, 2));
  });

  test("at a table without reveals not at all", () => {
    for (const settings of ["{}", '{"reveals":false}', ""]) expect(felt.part.commitment(view({ settings }))).toBeUndefined();
  });

  test("to bytes of the operating system, where nothing else is said", () => {
    const made = [1, 2].map(() => {
      const shelf = new OneText();
      new Part(TABLE, felt, shelf, felt.browser).commitment(view());
      return (JSON.parse(shelf.text!) as { entropy: string }[])[0]!.entropy;
    });
    expect(made.map((one) => one.length)).toEqual([64, 64]);
    expect(made[0]).not.toBe(made[1]);
  });

  test("a bet that falls into the next round has to be bound anew", () => {
    const early = felt.part.commitment(view())!;
    const next = view({ round: 2, contributions: [{ player: ME, commitment: early, missing: false }] });
    expect(felt.part.misbound(next)).toBe(true);
    const late = felt.part.commitment(next)!;
    expect(felt.part.misbound(view({ round: 2, contributions: [{ player: ME, commitment: late, missing: false }] }))).toBe(false);
    expect(felt.part.misbound(view({ round: 2, contributions: [{ player: "p-ben", commitment: early, missing: false }] }))).toBe(false);
  });

  test("only so many rounds are kept", () => {
    for (let round = 1; round < ROUNDS_KEPT_MAX + 10; round++) felt.part.commitment(view({ round }));
    expect(JSON.parse(felt.tab.text!)).toHaveLength(ROUNDS_KEPT_MAX);
  });
});

describe("revealed after the close", () => {
  test("not before, once, and the very bytes", async () => {
    const commitment = felt.part.commitment(view())!;
    felt.part.see(view({ contributions: [{ player: ME, commitment, missing: false }] }));
    expect(felt.revealed).toEqual([]);
    felt.part.see(closing(commitment));
    felt.part.see(closing(commitment));
    await settled();
    felt.part.see(closing(commitment, bytes(1)));
    felt.part.see(view({ phase: "playing", contributions: [{ player: ME, commitment, entropy: bytes(1), missing: false }] }));
    expect(felt.revealed).toEqual([[1, hex(bytes(1))]]);
  });

  test("again, and the same, where the connection broke before the house had it", async () => {
    const commitment = felt.part.commitment(view())!;
    felt.refuses = true;
    felt.part.see(closing(commitment));
    await settled();
    felt.refuses = false;
    felt.part.see(closing(commitment));
    await settled();
    expect(felt.revealed).toEqual([[1, hex(bytes(1))], [1, hex(bytes(1))]]);
  });

  test("also by a page that was loaded anew meanwhile", async () => {
    const commitment = felt.part.commitment(view())!;
    felt.part = felt.opened();
    expect(felt.part.commitment(view())).toEqual(commitment);
    felt.part.see(closing(commitment));
    await settled();
    expect(felt.revealed).toEqual([[1, hex(bytes(1))]]);
  });

  test("not by the player's other tab, which is bound to nothing or was bound before", async () => {
    const commitment = felt.part.commitment(view())!;
    const other = new Part(TABLE, felt, new OneText(), felt.browser, () => bytes(77));
    other.see(closing(commitment));
    const later = other.commitment(view())!;
    felt.part.see(closing(later));
    expect(felt.revealed).toEqual([]);
    other.see(closing(later));
    await settled();
    expect(felt.revealed).toEqual([[1, hex(bytes(77))]]);
  });

  test("not for somebody else who plays in this browser now", () => {
    const commitment = felt.part.commitment(view())!;
    felt.player = "p-ben";
    felt.part.see(closing(commitment));
    expect(felt.revealed).toEqual([]);
    expect(felt.part.commitment(view())).toEqual(bound(2, 1, "p-ben"));
  });

  test("never twice in a round that is open again, because the store went back", async () => {
    const commitment = felt.part.commitment(view())!;
    felt.part.see(closing(commitment));
    await settled();
    const again = view({ contributions: [{ player: ME, commitment, missing: false }] });
    expect(felt.part.misbound(again)).toBe(true);
    expect(felt.part.commitment(again)).toEqual(bound(2));
    expect(givenTo(felt.browser, TABLE, 1, HOUSE)).toEqual([]);
    felt.part.see(closing(bound(2)));
    await settled();
    expect(felt.revealed.at(-1)).toEqual([1, hex(bytes(2))]);
  });
});

describe("said to be missing", () => {
  test("although it was acknowledged, or sent so much before", async () => {
    felt.part.see(closing(felt.part.commitment(view())!));
    await settled();
    felt.refuses = true;
    felt.part.see(closing(felt.part.commitment(view({ round: 2 }))!, undefined, 2));
    await settled();
    felt.part.hear(ended(1, ME), 2500);
    felt.part.hear(ended(2, "p-ben", ME), 2800);
    expect(felt.complaints).toEqual([[1, 1500, true], [2, 1800, false]]);
  });

  test("it is no complaint where nothing was sent, or it is somebody else's", async () => {
    felt.part.commitment(view({ round: 2 }));
    felt.part.see(closing(felt.part.commitment(view())!));
    await settled();
    felt.part.hear(ended(1, "p-ben"), 2500);
    felt.part.hear(ended(2, ME), 2500);
    felt.part.hear(ended(3, ME), 2500);
    expect(felt.complaints).toEqual([]);
  });
});

describe("for whoever checks the round", () => {
  test("the bytes that were sent are found, and nothing of a round that is not closed, or of another house", async () => {
    const commitment = felt.part.commitment(view())!;
    expect(felt.browser.text).toBeNull();
    felt.part.see(closing(commitment));
    await settled();
    expect(givenTo(felt.browser, TABLE, 1, HOUSE)).toEqual([bytes(1)]);
    expect(givenTo(felt.browser, TABLE, 2, HOUSE)).toEqual([]);
    expect(givenTo(felt.browser, TABLE, 1, bytes(1))).toEqual([]);
  });

  test("only so many are kept, and what is no list is none", () => {
    for (let round = 0; round < GIVEN_KEPT_MAX + 5; round++) keepGiven(felt.browser, { table: TABLE, round, house: hex(HOUSE), entropy: hex(Uint8Array.of(round >> 8, round)) });
    expect(JSON.parse(felt.browser.text!)).toHaveLength(GIVEN_KEPT_MAX);
    for (const broken of ["{", '"x"', "7"]) {
      felt.browser.text = broken;
      expect(givenTo(felt.browser, TABLE, 1, HOUSE)).toEqual([]);
      felt.tab.text = broken;
      expect(felt.opened().commitment(view())).toBeDefined();
    }
  });
});
