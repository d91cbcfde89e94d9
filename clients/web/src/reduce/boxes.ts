/** Changes of one box on the felt, of its hands and its spots. */

import type { BoxBets, BoxFelt, Felt, HandView } from "$tapete";

/** A box whose bets are closed: main is a hand without cards, every other stake a spot. */
export function stakedBox(bets: BoxBets): BoxFelt {
  const main = bets.stakes.filter((stake) => stake.spot === "main");
  const others = bets.stakes.filter((stake) => stake.spot !== "main");
  return {
    box: bets.box,
    staked: bets.stakes.reduce((sum, stake) => sum + stake.amount, 0),
    hands: main.map((stake) => ({ cards: [], total: 0, soft: false, stake: stake.amount, doubled: false, returned: 0 })),
    spots: others.map((stake) => ({ spot: stake.spot, stake: stake.amount, returned: 0 })),
  };
}

export function inBox(felt: Felt, box: number, change: (one: BoxFelt) => BoxFelt): Felt {
  return { ...felt, boxes: felt.boxes.map((one) => (one.box === box ? change(one) : one)) };
}

export function inHand(felt: Felt, at: { box: number; hand: number }, change: (one: HandView) => HandView): Felt {
  return inBox(felt, at.box, (box) => ({
    ...box,
    hands: box.hands.map((hand, place) => (place === at.hand ? change(hand) : hand)),
  }));
}

/** A pair becomes two hands of one card each, and half the pair's total: two aces, soft 12, become two soft 11. */
export function split(box: BoxFelt, number: number): BoxFelt {
  return {
    ...box,
    hands: box.hands.flatMap((pair, place) => {
      if (place !== number) return [pair];
      const total = pair.soft ? 11 : Math.floor(pair.total / 2);
      const right = { cards: pair.cards.slice(1), total, soft: pair.soft, stake: 0, doubled: false, returned: 0 };
      return [{ ...pair, cards: pair.cards.slice(0, 1), total }, right];
    }),
  };
}
