import { createHmac } from "node:crypto";
import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";
import { fromHex, hex, text } from "../src/proof/bytes";
import { type Part, houseCommitment, playerCommitment, saltOf, wordsOf } from "../src/proof/fair";
import { expand, extract, hmac } from "../src/proof/hkdf";
import { proveAll } from "../src/proof/prove";
import { recordsIn } from "../src/proof/record";
import { Dealer, fullShoe } from "../src/proof/shoe";
import { sha256 } from "../src/wire/sha256";
import { vectors } from "./vectors";

const bytes = (digits: string): Uint8Array => fromHex(digits)!;

interface Fair {
  house: { secret: string; commitment: string }[];
  commitments: { table: string; round: number; player: string; entropy: string; commitment: string }[];
  salts: { close_head: string; settings: string; settings_hash: string; salt: string; reveals?: { box: number; commitment: string; entropy?: string }[] }[];
  streams: { secret: string; salt: string; key: string; words: number[] }[];
  draws: { decks: number; secret: string; salt: string; cards: string; passed_over: number[]; words: number }[];
}
const fair = vectors<Fair>("fair.json");

interface Records {
  good: { why: string; records: unknown[] }[];
  bad: { why: string; field: string; record: { round: number } }[];
}
const records = vectors<Records>("records.json");
const file = (value: unknown) => text(JSON.stringify(value));

describe("published vectors", () => {
  // RFC 4231, 4.2 to 4.8: key, message, HMAC-SHA-256; of 4.6 the first 16 bytes.
  const rfc4231: [string, string, string][] = [
    ["0b".repeat(20), hex(text("Hi There")), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [hex(text("Jefe")), hex(text("what do ya want for nothing?")), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
    ["aa".repeat(20), "dd".repeat(50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
    ["0102030405060708090a0b0c0d0e0f10111213141516171819", "cd".repeat(50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"],
    ["0c".repeat(20), hex(text("Test With Truncation")), "a3b6167473100ee06e0c796c2955552b"],
    ["aa".repeat(131), hex(text("Test Using Larger Than Block-Size Key - Hash Key First")), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"],
    ["aa".repeat(131), hex(text("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.")), "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"],
  ];
  test.each(rfc4231)("HMAC with key %s", (key, message, mac) => {
    expect(hex(hmac(bytes(key), bytes(message))).slice(0, mac.length)).toBe(mac);
  });

  // RFC 5869, A.1 to A.3: secret, salt, info, length, key, output.
  const rfc5869: [string, string, string, number, string, string][] = [
    ["0b".repeat(22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9", 42, "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"],
    [range(0x00, 80), range(0x60, 80), range(0xb0, 80), 82, "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"],
    ["0b".repeat(22), "", "", 42, "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"],
  ];
  test.each(rfc5869)("HKDF of %s", (secret, salt, info, length, key, output) => {
    const made = extract(bytes(salt), bytes(secret));
    expect(hex(made)).toBe(key);
    expect(hex(expand(made, bytes(info), length))).toBe(output);
  });

  test("HMAC is everybody's, for keys and messages of each length around a block", () => {
    for (let length = 0; length < 200; length += 7) {
      const key = Uint8Array.from({ length }, (_, place) => place);
      const message = Uint8Array.from({ length: 200 - length }, (_, place) => place * 3);
      expect(hex(hmac(key, message))).toBe(createHmac("sha256", key).update(message).digest("hex"));
    }
  });
});

function range(from: number, count: number): string {
  return hex(Uint8Array.from({ length: count }, (_, place) => from + place));
}

describe("the formulas of the fair deal", () => {
  test("commitments", () => {
    for (const one of fair.house) expect(hex(houseCommitment(bytes(one.secret)))).toBe(one.commitment);
    for (const one of fair.commitments) expect(hex(playerCommitment(one.table, one.round, one.player, bytes(one.entropy)))).toBe(one.commitment);
    expect(fair.commitments.length).toBeGreaterThan(2);
  });

  test.each(fair.salts)("salt $salt", (one) => {
    const parts = one.reveals?.map((part): Part => ({ box: part.box, commitment: bytes(part.commitment), ...(part.entropy ? { entropy: bytes(part.entropy) } : {}) }));
    expect(hex(sha256(text(one.settings)))).toBe(one.settings_hash);
    expect(hex(saltOf(bytes(one.close_head), bytes(one.settings_hash), parts))).toBe(one.salt);
  });

  test.each(fair.streams)("stream $key", (one) => {
    expect(hex(extract(bytes(one.salt), bytes(one.secret)))).toBe(one.key);
    const words = wordsOf(bytes(one.secret), bytes(one.salt));
    expect(one.words.map(() => words.next().value)).toEqual(one.words);
  });

  test.each(fair.draws)("a whole shoe of $decks decks", (one) => {
    const dealer = new Dealer(wordsOf(bytes(one.secret), bytes(one.salt)), fullShoe(one.decks));
    const draws = one.cards.split(" ").map(() => dealer.next()!);
    expect(draws.map((draw) => draw.card).join(" ")).toBe(one.cards);
    expect(draws.flatMap((draw, place) => draw.passedOver.map(() => place))).toEqual(one.passed_over);
    expect(draws.at(-1)!.used).toBe(one.words);
    expect(dealer.next()).toBeUndefined();
  });

  test("a stream ends after 255 blocks", () => {
    expect([...wordsOf(bytes("00"), bytes("00"))].length).toBe(255 * 8);
  });
});

describe("whole records", () => {
  test.each(records.good)("$why", ({ records: several }) => {
    const proofs = proveAll(recordsIn(file(several)));
    expect(proofs.map((proof) => proof.failure?.message)).toEqual(several.map(() => undefined));
  });

  test.each(records.bad)("$why", ({ record, field }) => {
    const [proof] = proveAll(recordsIn(file(record)));
    expect(proof!.failure?.where.startsWith(field), proof!.failure?.message).toBe(true);
    expect(proof!.number).toBe(record.round);
  });
});

describe("what no vector says", () => {
  const coups = records.good.find((one) => one.records.length === 3)!.records as Record<string, unknown>[];
  const failures = (several: unknown[]) => proveAll(recordsIn(file(several))).map((proof) => proof.failure?.where);
  const middle = () => records.good.find((one) => one.why === "punto banco in the middle of a shoe")!.records[0] as Record<string, unknown>;
  const first = (record: Record<string, unknown>) => (record.batches as string[])[0]!;

  test("a shoe is proven where the rounds from its opening on are there", () => {
    expect(proveAll(recordsIn(file(coups))).map((proof) => proof.shoeProven)).toEqual([true, true, true]);
    expect(proveAll(recordsIn(file(coups.slice(1)))).map((proof) => proof.shoeProven)).toEqual([false, false]);
  });

  test("without a start and without the round before, nobody knows what was left", () => {
    const { start, head, ...old } = { ...middle(), schema: 1 } as Record<string, unknown>;
    expect([start, head]).not.toContain(undefined);
    expect(failures([old])).toEqual(["start.left"]);
  });

  test.each([
    ["start.coup", { coup: 2 }],
    ["start.last_coup", { last_coup: 40 }],
    ["start.stacks", { stacks: (coups[1]!.start as { stacks: [string, number][] }).stacks.map(([player, amount]) => [player, amount + 1]) }],
  ])("the next record goes on from there: %s", (where, change) => {
    const second = { ...coups[1], start: { ...(coups[1]!.start as object), ...change } };
    expect(failures([second])).toEqual([undefined]);
    expect(failures([coups[0], second])).toEqual([undefined, where]);
  });

  test("a batch that could be read in two ways is none", () => {
    const longer = first(middle()).replace(/^8(.)/, (_, fields: string) => `de000${fields}`);
    expect(failures([{ ...middle(), batches: [longer, ...(middle().batches as string[]).slice(1)] }])).toEqual(["batches[0]"]);
  });

  test("a record of a newer format is refused as that", () => {
    expect(proveAll([{ ...middle(), schema: 3 }])[0]!.failure?.fault).toBe("newer_format");
  });

  test("one record that cannot be read leaves the others to be checked", () => {
    expect(failures([{ ...coups[0], batches: "none" }, coups[1]])).toEqual(["batches", undefined]);
  });

  test.each(["", "[]", "{", "nonsense", "\u0081"])("%j is no file of records", (words) => {
    expect(() => recordsIn(text(words))).toThrow();
  });

  test("MessagePack and JSON hold the same", () => {
    const plain = recordsIn(file(middle()))[0] as Record<string, unknown>;
    const packed = encode({ ...plain, batches: (plain.batches as string[]).map(bytes), settings_hash: bytes(plain.settings_hash as string), head: bytes(plain.head as string) });
    expect(proveAll(recordsIn(packed))[0]!.failure).toBeUndefined();
  });
});
