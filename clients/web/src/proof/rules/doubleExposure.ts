/** A round of Double Exposure, as the events that have to come (seed 004). */

import type { BoxBets } from "../bets";
import type { Fact } from "../facts";
import { type DoubleExposure, won } from "../settings";
import { Unproven } from "../unproven";
import { Box } from "./box";
import type { Felt } from "./felt";
import { blackjackTotal, isBlackjack } from "./hands";
import { Turn } from "./turn";

const DEALER_STANDS_ON = 17;

export class BlackjackRound {
  readonly #dealer: string[] = [];
  readonly #boxes: readonly Box[];
  #dealerDone = false;

  constructor(
    readonly felt: Felt,
    readonly settings: DoubleExposure,
    bets: readonly BoxBets[],
  ) {
    this.#boxes = bets.map((one) => new Box(one, felt, settings));
  }

  /** Raises `Void` where it is void, before its cards or between two decisions. */
  play(): void {
    this.felt.isIn = (player) => this.#boxes.some((box) => box.owner === player && box.hands.some((hand) => !hand.closed));
    this.felt.await();
    this.felt.expect("ShoeOpened", { decks: this.settings.decks });
    for (let round = 0; round < 2; round++) {
      for (const box of this.#boxes) box.deal(0);
      this.#dealerCard();
    }
    if (isBlackjack(this.#dealer)) this.#finishDealer();
    for (const box of this.#boxes) this.#closeAtOnce(box);
    for (let open = this.#firstOpen(); open; open = this.#firstOpen()) this.#playHand(...open);
    this.#end();
  }

  #dealerCard(): void {
    const fact = this.felt.peek();
    if (fact.t === "CardDealt") this.#dealer.push(fact.card);
    this.felt.expect("CardDealt", { place: "dealer", box: 0, hand: 0, ...blackjackTotal(this.#dealer) });
  }

  #finishDealer(): void {
    const says = { ...blackjackTotal(this.#dealer), blackjack: isBlackjack(this.#dealer), drew: this.#dealer.length > 2 };
    this.felt.expect("DealerDone", says);
    this.#dealerDone = true;
  }

  #closeAtOnce(box: Box): void {
    const { cards, stake } = box.hands[0]!;
    const dealers = isBlackjack(this.#dealer);
    if (isBlackjack(cards)) {
      const pushes = dealers && this.settings.blackjack_tie === "push";
      const back = pushes ? stake : won(stake, this.settings.blackjack_odds);
      box.close(0, "blackjack", () => box.settle(0, pushes ? "push" : "blackjack", back));
    } else if (dealers) box.close(0, "dealer_blackjack", () => box.settle(0, "lose", 0));
    else box.lookAtBonuses();
  }

  #firstOpen(): [Box, number] | undefined {
    for (const box of this.#boxes) {
      const number = box.hands.findIndex((hand) => !hand.closed);
      if (number >= 0) return [box, number];
    }
    return undefined;
  }

  #playHand(box: Box, number: number): void {
    const turn = new Turn(this.felt, this.settings, box, number);
    const hand = box.hands[number]!;
    if (hand.cards.length === 1) {
      box.deal(number);
      if (blackjackTotal(hand.cards).total === 21) return box.close(number, "twenty_one");
      if (hand.ofAces && !turn.mayGoOn()) return box.close(number, "split_aces");
    }
    this.felt.peek(); // the house may stand for the owner now
    if (this.felt.standing.has(box.owner)) return box.close(number, "stood");
    this.#act(turn.decided(), box, number);
  }

  #act(fact: Fact, box: Box, number: number): void {
    const { hands } = box;
    if (this.felt.standing.get(box.owner) === "house" || fact.t === "HandClosed") return box.close(number, "stood");
    if (fact.t === "AllStood") {
      this.felt.expect("AllStood", { owner: box.owner, by: "player" });
      return box.close(number, "stood");
    }
    if (fact.t === "HandSplit") return box.split(number);
    if (fact.t === "CardDealt") return this.#hit(box, number);
    if (fact.t !== "StakeAdded") throw new Unproven(`${fact.where}.t`, "illegal", fact.t);
    box.add(number, hands[number]!.stake);
    box.deal(number);
    return box.close(number, "doubled");
  }

  #hit(box: Box, number: number): void {
    box.deal(number);
    const { total } = blackjackTotal(box.hands[number]!.cards);
    if (total > 21) return box.close(number, "bust", () => box.settle(number, "bust", 0));
    if (total === 21) return box.close(number, "twenty_one");
    return box.lookAtBonuses();
  }

  #dealerDraws(): boolean {
    const { total, soft } = blackjackTotal(this.#dealer);
    return total < DEALER_STANDS_ON || (total === DEALER_STANDS_ON && soft && this.settings.dealer_hits_soft_17);
  }

  #end(): void {
    if (!this.#dealerDone) {
      const waits = this.#boxes.some((box) => box.hands.some((hand) => !hand.settled));
      while (waits && this.#dealerDraws()) this.#dealerCard();
      this.#finishDealer();
    }
    for (const box of this.#boxes) this.#settle(box);
    const { total } = blackjackTotal(this.#dealer);
    this.felt.finish(isBlackjack(this.#dealer) ? "blackjack" : total > 21 ? "bust" : String(total));
  }

  #settle(box: Box): void {
    const dealer = blackjackTotal(this.#dealer).total;
    for (const [number, hand] of box.hands.entries()) {
      if (hand.settled) continue;
      const wins = dealer > 21 || blackjackTotal(hand.cards).total > dealer;
      box.settle(number, wins ? "win" : "lose", wins ? won(hand.stake, [1, 1]) : 0);
    }
    this.felt.expect("BoxSettled", { box: box.box, owner: box.owner, staked: box.staked, returned: box.returned });
  }
}
