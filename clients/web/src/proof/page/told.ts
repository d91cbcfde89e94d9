/** What each check found, in words. */

import { count } from "../../words/index.svelte";
import { is } from "../facts";
import { hex, same } from "../bytes";
import { playerCommitment } from "../fair";
import type { Check, Proof } from "../prove";
import type { Contribution } from "../reveals";
import { proofWords } from "../words";

const SHOWN = 8;

/** The two ends of a hash: enough to compare by eye. */
export const ends = (bytes: Uint8Array): string => (bytes.length <= SHOWN ? hex(bytes) : `${hex(bytes.slice(0, SHOWN / 2))}…${hex(bytes.slice(-SHOWN / 2))}`);

type Telling = (proof: Proof) => string | undefined;

const TELLS: Readonly<Record<Check, Telling>> = {
  record: ({ record }) => record && proofWords().found.batches(record.batches.length, count(record.batches.length)),
  settings: ({ record }) => record && proofWords().found.hash(ends(record.settings_hash)),
  chain: ({ round }) => round && proofWords().found.head(ends(round.heads.at(-1)!)),
  frame: ({ round }) => round && proofWords().found.bound,
  bets: ({ round }) => round?.closed && proofWords().found.boxes(round.closed.bets.length, count(round.closed.bets.length)),
  reveals: ({ parts }) => parts && proofWords().found.revealed(...revealed(parts)),
  cards: (proof) => [cardsTold(proof), shoeTold(proof)].filter(Boolean).join(" "),
  rules: ({ round }) => (round?.end.t === "RoundSettled" ? proofWords().found.result(resultTold(round.end.result)) : undefined),
  stacks: ({ legacy }) => legacy?.books && proofWords().found.stacks(legacy.books.stacks.length, count(legacy.books.stacks.length)),
  join: ({ number }) => proofWords().found.joined(count(number - 1)),
};

function revealed(parts: NonNullable<Proof["parts"]>): [string, string] {
  const missing = parts.filter((part) => !part.entropy).length;
  return [count(parts.length - missing), count(missing)];
}

function cardsTold({ deal }: Proof): string | undefined {
  const last = deal?.cards.at(-1);
  return deal && last && proofWords().found.cards(count(deal.cards.length), count(last.used));
}

function shoeTold({ round, shoeProven, deal }: Proof): string | undefined {
  if (round?.settings.game !== "punto_banco" || !deal?.cards.length) return undefined;
  return shoeProven ? proofWords().found.shoeProven : proofWords().found.shoeWord;
}

function resultTold(result: string): string {
  const { sides, results } = proofWords();
  return { ...sides, ...results }[result] ?? result;
}

export function told(check: Check, proof: Proof): string | undefined {
  const state = proof.states[check];
  if (state === "silent") return check === "join" && proof.number === 1 ? proofWords().firstRound : proofWords().silent[check];
  return state === "proven" ? TELLS[check](proof) : undefined;
}

/** Names as players gave them when they sat down in this round; else as the table has them now, or as the log does. */
export function nameOf(proof: Proof, player: string, names: (player: string) => string | undefined): string {
  const sat = proof.round?.facts.filter(is("BoxTaken")).find((fact) => fact.player === player);
  return sat?.name || names(player) || player;
}

/** Whether a player's part is bound to these very bytes. */
export const isOfBytes = ({ table, number }: Proof, { player, commitment }: Contribution, bytes: Uint8Array): boolean => same(commitment, playerCommitment(table, number, player, bytes));
