/** A box of Double Exposure: its hands, and its bonus bets, which are looked at after each thing that happens to it (seed 004). */

import type { BoxBets } from "../bets";
import { type DoubleExposure, won } from "../settings";
import type { Felt } from "./felt";
import { blackjackTotal, isBlackjack, pips } from "./hands";

export interface Hand {
  readonly cards: string[];
  stake: number;
  readonly ofAces: boolean;
  closed: boolean;
  settled: boolean;
}

const hand = (cards: string[], stake: number, ofAces = false): Hand => ({ cards, stake, ofAces, closed: false, settled: false });

export class Box {
  readonly box: number;
  readonly owner: string;
  readonly hands: Hand[];
  readonly #bonuses: Map<string, number>;
  staked: number;
  returned = 0;

  constructor(
    { box, player, stakes }: BoxBets,
    readonly felt: Felt,
    readonly settings: DoubleExposure,
  ) {
    [this.box, this.owner] = [box, player];
    const on = new Map(stakes.map(({ spot, amount }) => [spot, amount]));
    this.hands = [hand([], on.get("main") ?? 0)];
    this.#bonuses = new Map(["blackjack", "sevens"].flatMap((spot) => (on.has(spot) ? [[spot, on.get(spot)!] as const] : [])));
    this.staked = stakes.reduce((sum, { amount }) => sum + amount, 0);
  }

  deal(number: number): void {
    const { cards } = this.hands[number]!;
    const fact = this.felt.peek();
    if (fact.t === "CardDealt") cards.push(fact.card);
    this.felt.expect("CardDealt", { place: "box", box: this.box, hand: number, ...blackjackTotal(cards) });
  }

  add(number: number, amount: number): void {
    this.felt.expect("StakeAdded", { box: this.box, hand: number, owner: this.owner, amount });
    this.staked += amount;
    this.hands[number]!.stake += amount;
  }

  split(number: number): void {
    this.felt.expect("HandSplit", { box: this.box, hand: number });
    const { cards, stake } = this.hands[number]!;
    const ofAces = cards[0]![0] === "A";
    this.hands.splice(number, 1, hand([cards[0]!], stake, ofAces), hand([cards[1]!], 0, ofAces));
    this.add(number + 1, stake);
    this.lookAtBonuses();
  }

  /** `settle` where the hand is settled at its closing, before the bonus bets are looked at. */
  close(number: number, why: string, settle?: () => void): void {
    this.felt.peek(); // the house may say now that it stands for the owner
    const by = this.felt.standing.get(this.owner) ?? "player";
    this.felt.expect("HandClosed", { box: this.box, hand: number, why, by });
    this.hands[number]!.closed = true;
    settle?.();
    this.lookAtBonuses();
  }

  settle(number: number, outcome: string, returned: number): void {
    const { stake } = this.hands[number]!;
    this.felt.expect("HandSettled", { box: this.box, hand: number, outcome, stake, returned });
    this.hands[number]!.settled = true;
    this.returned += returned;
  }

  lookAtBonuses(): void {
    for (const [spot, stake] of this.#bonuses) {
      const returned = spot === "blackjack" ? this.#blackjackPays(stake) : this.#sevensPay(stake);
      if (returned === undefined) continue;
      this.felt.expect("SpotSettled", { box: this.box, spot, outcome: returned > 0 ? "win" : "lose", stake, returned });
      this.#bonuses.delete(spot);
      this.returned += returned;
    }
  }

  #blackjackPays(stake: number): number {
    const [first] = this.hands;
    return this.hands.length === 1 && isBlackjack(first!.cards) ? won(stake, this.settings.bonus_blackjack_odds) : 0;
  }

  /** Undefined while a pair of sevens may still become three. */
  #sevensPay(stake: number): number | undefined {
    const [first] = this.hands;
    if (this.hands.length === 1 && first!.cards.length === 2 && !first!.closed && first!.cards.every(isSeven)) return undefined;
    const odds = this.settings.sevens_odds[this.#sevens() - 1];
    return odds ? won(stake, odds) : 0;
  }

  /** From the first card on; a pair that was split is two and nothing more. */
  #sevens(): number {
    const { cards } = this.hands[0]!;
    if (this.hands.length > 1) return isSeven(cards[0]!) ? 2 : 0;
    const other = cards.slice(0, 3).findIndex((card) => !isSeven(card));
    return other < 0 ? Math.min(cards.length, 3) : other;
  }
}

const isSeven = (card: string): boolean => pips(card) === 7;
