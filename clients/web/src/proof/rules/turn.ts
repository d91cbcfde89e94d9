/** A hand's turn: what is legal, that it is told so, and that what was decided is among it. */

import type { Fact } from "../facts";
import type { DoubleExposure } from "../settings";
import { Unproven, shown } from "../unproven";
import type { Box } from "./box";
import type { Felt } from "./felt";
import { blackjackTotal, pips } from "./hands";

const DOUBLE_FROM = 9;
const DOUBLE_TO = 11;

export class Turn {
  /** The list told last, and the batch in which the owner's chips moved last. */
  #told = "";
  #moved = -1;

  constructor(
    readonly felt: Felt,
    readonly settings: DoubleExposure,
    readonly box: Box,
    readonly number: number,
  ) {}

  /** Whether a hand of split aces, with its second card, has anything to decide: only another split. */
  mayGoOn(): boolean {
    if (this.felt.peek().t === "HandClosed" && this.felt.accounts === undefined) return false;
    return !this.felt.standing.has(this.box.owner) && this.#legals().some((legal) => legal.includes("split"));
  }

  /** The event that is the decision, not taken yet. Raises `Void`. */
  decided(): Fact {
    const { box, number } = this;
    this.#told = this.#read(this.felt.expect("TurnStarted", { box: box.box, hand: number, owner: box.owner }));
    this.felt.heard = (fact) => this.#hear(fact);
    this.felt.turn = box.owner;
    let fact = this.felt.await();
    for (; fact.t === "ActionsChanged"; fact = this.felt.await()) this.#retell(fact);
    this.#checkTold(fact);
    this.felt.heard = () => undefined;
    this.felt.turn = undefined;
    this.#checkLegal(fact);
    return fact;
  }

  /** What may be legal: one list, or two where nobody says what is in the stack. */
  #legals(): string[][] {
    const { cards, ofAces, stake } = this.box.hands[this.number]!;
    const two = cards.length === 2;
    const doubles = two && this.#doubles();
    const splits = two && pips(cards[0]!) === pips(cards[1]!) && this.box.hands.length < this.settings.max_hands;
    const poor = [...(ofAces ? [] : ["hit"]), "stand", "stand_all"];
    const rich = [...poor, ...(doubles ? ["double"] : []), ...(splits ? ["split"] : [])];
    if (this.felt.accounts === undefined) return [rich, poor];
    return [this.felt.accounts.stack(this.box.owner) >= stake ? rich : poor];
  }

  /** Two cards that double here, if the chips allow it. */
  #doubles(): boolean {
    const { cards, ofAces } = this.box.hands[this.number]!;
    if (ofAces || (this.box.hands.length > 1 && !this.settings.double_after_split)) return false;
    if (this.settings.double_on === "any") return true;
    const { total, soft } = blackjackTotal(cards);
    const low = soft ? total - 10 : total;
    return low >= DOUBLE_FROM && low <= DOUBLE_TO && (!soft || this.settings.double_on === "low_9_to_11");
  }

  #read({ legal, where }: Fact<"TurnStarted" | "ActionsChanged">): string {
    const may = this.#legals().map(shown);
    if (!may.includes(shown(legal))) throw new Unproven(`${where}.legal`, "differs", shown(legal), may.join(" / "));
    return shown(legal);
  }

  /** Before an event that is not of the game: of a later batch, it comes too late for a change to be told. */
  #hear(fact: Fact): void {
    if (fact.batch !== this.#moved) this.#checkTold(fact);
    if ((fact.t === "ChipsIn" || fact.t === "ChipsOut") && fact.player === this.box.owner) this.#moved = fact.batch;
  }

  #checkTold(fact: Fact): void {
    if (this.#legals().map(shown).includes(this.#told)) return;
    throw new Unproven(fact.where, "not_told", "ActionsChanged", shown(this.#legals()[0]));
  }

  /** After the owner's chips moved, another list of what is legal is told in the very batch, and at no other time. */
  #retell(fact: Fact<"ActionsChanged">): void {
    if (fact.batch !== this.#moved) throw new Unproven(`${fact.where}.t`, "out_of_place", fact.t);
    for (const [name, wanted] of [["box", this.box.box], ["hand", this.number]] as const) {
      if (fact[name] !== wanted) throw new Unproven(`${fact.where}.${name}`, "differs", String(fact[name]), String(wanted));
    }
    const now = this.#read(fact);
    if (now === this.#told) throw new Unproven(`${fact.where}.legal`, "differs", now);
    this.#told = now;
    this.felt.take();
  }

  #checkLegal(fact: Fact): void {
    if (this.felt.standing.get(this.box.owner) === "house") return;
    const action = this.#actionOf(fact);
    const legal = this.#told.slice(1, -1).split(", ");
    if (!action || !legal.includes(action)) throw new Unproven(fact.where, "illegal", action ?? fact.t, this.#told);
  }

  #actionOf(fact: Fact): string | undefined {
    if (fact.t === "HandClosed") return "stand";
    if (fact.t === "AllStood") return "stand_all";
    if (fact.t === "CardDealt") return "hit";
    if (fact.t === "StakeAdded") return "double";
    return fact.t === "HandSplit" ? "split" : undefined;
  }
}
