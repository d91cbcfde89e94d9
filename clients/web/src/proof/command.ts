/** The checks as a command: `node prove.mjs FILE…` says of each round whether it is proven. */

import { readFileSync } from "node:fs";
import { type Proof, prove } from "./prove";
import { recordsIn } from "./record";
import { Unproven } from "./unproven";
import { en } from "./words/en";

/** One line for each round. `json`: as JSON, for programs, with the milliseconds of a processor that it took. */
function line(file: string, proof: Proof, cpu_ms: number, json: boolean): string {
  const { table, number: round, failure } = proof;
  const where = failure?.where;
  if (json) return JSON.stringify({ file, table, round, proven: !failure, cpu_ms, ...(failure ? { where, why: failure.message } : {}) });
  const cards = proof.deal?.cards.length ?? 0;
  return `${table} ${round}: ${failure ? `NOT PROVEN: ${failure.message}` : `proven, ${cards} cards`}`;
}

const spent_ms = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Returns the exit status: 0 all proven, 1 one is not, 2 nothing to check. */
export function run(args: readonly string[], say: (line: string) => void): number {
  const json = args.includes("--json");
  const files = args.filter((one) => !one.startsWith("--"));
  if (files.length === 0) {
    say("usage: node prove.mjs [--json] FILE...   (records of rounds, as JSON or MessagePack)");
    return 2;
  }
  const worst = Math.max(...files.map((file) => one(file, json, say)));
  if (!json) for (const line of [`${en.limits}:`, ...en.limit.map((limit) => `- ${limit}`)]) say(line);
  return worst;
}

function one(file: string, json: boolean, say: (line: string) => void): number {
  try {
    let before: Proof | undefined;
    let failed = false;
    for (const record of recordsIn(readFileSync(file))) {
      const began = process.cpuUsage();
      before = prove(record, before?.legacy);
      say(line(file, before, spent_ms(process.cpuUsage(began)), json));
      failed ||= before.failure !== undefined;
    }
    return failed ? 1 : 0;
  } catch (wrong) {
    const message = wrong instanceof Unproven ? wrong.message : String(wrong);
    say(json ? JSON.stringify({ file, proven: false, where: wrong instanceof Unproven ? wrong.where : "", why: message }) : `${file}: ${message}`);
    return 2;
  }
}
