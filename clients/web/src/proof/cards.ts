/** 6. Every card and its word come from the round's stream and the cards left in the shoe. */

import { type Fact, is } from "./facts";
import { saltOf, wordsOf } from "./fair";
import type { Contribution } from "./reveals";
import type { Round } from "./round";
import { Dealer, type Draw, fullShoe } from "./shoe";
import { Unproven } from "./unproven";

/** The shoe of Punto Banco between two rounds. */
export interface ShoeState {
  readonly left: readonly number[];
  readonly coup: number;
  readonly last_coup?: number;
  /** Whether every card of it was proven since it was opened; else its beginning is the record's word. */
  readonly proven: boolean;
}

export interface Dealt extends Draw {
  readonly fact: Fact<"CardDealt" | "CardBurnt">;
}

export interface Deal {
  readonly cards: readonly Dealt[];
  readonly salt?: Uint8Array;
  /** What is left after the round; undefined where nothing is known of the shoe. */
  readonly left?: readonly number[];
  readonly opensShoe: boolean;
}

export function checkCards(round: Round, parts: readonly Contribution[] | undefined, shoe: ShoeState | undefined): Deal {
  const turns = round.facts.filter(is("CardDealt", "CardBurnt", "ShoeOpened"));
  const opensShoe = turns.some(is("ShoeOpened"));
  if (turns.length === 0 || !round.closed) return { cards: [], left: shoe?.left, opensShoe };
  const salt = saltOf(round.heads[round.closed.batch]!, round.record.settings_hash, parts);
  const dealer = new Dealer(wordsOf(round.end.secret, salt), [...(shoe?.left ?? [])]);
  if (!shoe && !is("ShoeOpened")(turns[0]!)) throw new Unproven(round.settings.game === "punto_banco" ? "start.left" : turns[0]!.where, "shoe_unknown");
  const cards: Dealt[] = [];
  for (const fact of turns) {
    if (fact.t === "ShoeOpened") dealer.shoe = fullShoe(round.settings.decks);
    else cards.push({ ...drawn(dealer, fact), fact });
  }
  return { cards, salt, left: dealer.shoe, opensShoe };
}

function drawn(dealer: Dealer, fact: Fact<"CardDealt" | "CardBurnt">): Draw {
  const draw = dealer.next();
  if (!draw) throw new Unproven(fact.where, "cards_run_out");
  if (fact.card !== draw.card) throw new Unproven(`${fact.where}.card`, "differs", fact.card, draw.card);
  if (fact.word !== draw.used) throw new Unproven(`${fact.where}.word`, "differs", String(fact.word), String(draw.used));
  return draw;
}
