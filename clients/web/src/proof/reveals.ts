/** 5. What the players gave to the cards: bound before the close, revealed after it, and what is missing is said to be. */

import { same } from "./bytes";
import { type Fact, is } from "./facts";
import { type Part, playerCommitment } from "./fair";
import { bettors } from "./bets";
import type { Round } from "./round";
import { Unproven, shown } from "./unproven";

export interface Contribution extends Part {
  readonly player: string;
}

/** Undefined at a table without reveals. */
export function checkReveals(round: Round): readonly Contribution[] | undefined {
  if (!round.settings.reveals) return checkNone(round);
  const bound = checkCommitments(round);
  const revealed = checkRevealed(round, new Map(bound.map((one) => [one.player, one.commitment])));
  const parts = bound.map((one) => ({ ...one, entropy: revealed.get(one.player) }));
  checkClosed(round, parts);
  return parts;
}

function checkNone(round: Round): undefined {
  const told = round.facts.find(is("EntropyCommitted", "EntropyRevealed", "EntropyClosed"));
  if (told) throw new Unproven(`${told.where}.t`, "no_reveals_here", told.t);
  if (round.closed?.commitments.length) throw new Unproven(`${round.closed.where}.commitments`, "no_reveals_here");
}

/** The last commitment of every player who bets and has not left meanwhile, in the order of their lowest boxes. */
function checkCommitments(round: Round): readonly Contribution[] {
  const last = new Map<string, Uint8Array>();
  const at = round.closed ? round.facts.indexOf(round.closed) : round.facts.length;
  for (const [place, fact] of round.facts.entries()) {
    if (fact.t === "EntropyCommitted" && place > at) throw new Unproven(`${fact.where}.t`, "out_of_place", fact.t);
    if (fact.t === "EntropyCommitted") last.set(fact.player, fact.commitment);
    if (fact.t === "PlayerLeft" && place < at) last.delete(fact.player);
  }
  if (!round.closed) return [];
  const wanted = [...bettors(round)].flatMap(([player, box]) => (last.has(player) ? [{ player, box, commitment: last.get(player)! }] : []));
  const plain = wanted.map(({ player, commitment }) => ({ player, commitment }));
  const found = round.closed.commitments;
  if (shown(found) !== shown(plain)) throw new Unproven(`${round.closed.where}.commitments`, "differs", shown(found), shown(plain));
  return wanted;
}

function checkRevealed(round: Round, bound: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let open = false;
  for (const fact of round.facts) {
    if (fact.t === "BettingClosed") open = true;
    if (fact.t === "EntropyClosed") open = false;
    if (fact.t !== "EntropyRevealed") continue;
    if (!open) throw new Unproven(`${fact.where}.t`, "out_of_place", fact.t);
    if (found.has(fact.player)) throw new Unproven(fact.where, "comes_twice", fact.player);
    checkEntropy(round, fact, bound.get(fact.player));
    found.set(fact.player, fact.entropy);
  }
  return found;
}

function checkEntropy(round: Round, fact: Fact<"EntropyRevealed">, bound: Uint8Array | undefined): void {
  if (!bound) throw new Unproven(`${fact.where}.player`, "out_of_place", fact.player);
  const found = playerCommitment(round.record.table, round.record.round, fact.player, fact.entropy);
  if (!same(found, bound)) throw new Unproven(`${fact.where}.entropy`, "hash_differs", shown(found), shown(bound));
}

function checkClosed(round: Round, parts: readonly Contribution[]): void {
  const [closed, again] = round.facts.filter(is("EntropyClosed"));
  const card = round.facts.find(is("CardDealt", "CardBurnt"));
  if (again) throw new Unproven(`${again.where}.t`, "comes_twice", again.t);
  if (!closed && card) throw new Unproven(card.where, "not_told", "EntropyClosed");
  if (!closed) return;
  const at = round.facts.indexOf(closed);
  if (!round.closed || at < round.facts.indexOf(round.closed)) throw new Unproven(`${closed.where}.t`, "out_of_place", closed.t);
  if (card && round.facts.indexOf(card) < at) throw new Unproven(`${card.where}.t`, "out_of_place", card.t);
  if (closed.round !== round.record.round) throw new Unproven(`${closed.where}.round`, "differs", String(closed.round), String(round.record.round));
  const missing = parts.filter((part) => !part.entropy).map((part) => part.player);
  if (shown(closed.missing) !== shown(missing)) throw new Unproven(`${closed.where}.missing`, "differs", shown(closed.missing), shown(missing));
}
