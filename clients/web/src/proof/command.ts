/** The checks as a command: `node prove.mjs FILE…` says of each round whether it is proven. */

import { readFileSync } from "node:fs";
import { type Proof, proveAll } from "./prove";
import { recordsIn } from "./record";
import { Unproven } from "./unproven";

/** One line for each round. `json`: as JSON, for programs. */
function line(file: string, proof: Proof, json: boolean): string {
  const { table, number: round, failure } = proof;
  const where = failure?.where;
  if (json) return JSON.stringify({ file, table, round, proven: !failure, ...(failure ? { where, why: failure.message } : {}) });
  const cards = proof.deal?.cards.length ?? 0;
  return `${table} ${round}: ${failure ? `NOT PROVEN: ${failure.message}` : `proven, ${cards} cards`}`;
}

/** Returns the exit status: 0 all proven, 1 one is not, 2 nothing to check. */
export function run(args: readonly string[], say: (line: string) => void): number {
  const json = args.includes("--json");
  const files = args.filter((one) => !one.startsWith("--"));
  if (files.length === 0) {
    say("usage: node prove.mjs [--json] FILE...   (records of rounds, as JSON or MessagePack)");
    return 2;
  }
  return Math.max(...files.map((file) => one(file, json, say)));
}

function one(file: string, json: boolean, say: (line: string) => void): number {
  try {
    const proofs = proveAll(recordsIn(readFileSync(file)));
    for (const proof of proofs) say(line(file, proof, json));
    return proofs.some((proof) => proof.failure) ? 1 : 0;
  } catch (wrong) {
    const message = wrong instanceof Unproven ? wrong.message : String(wrong);
    say(json ? JSON.stringify({ file, proven: false, where: wrong instanceof Unproven ? wrong.where : "", why: message }) : `${file}: ${message}`);
    return 2;
  }
}
