/** The felt's part of `reduce`: cards, hands, turns, settlements, and the shoe. */

import type { CardDealt, Felt, FeltEvent, SideView, TableView } from "$tapete";
import { inBox, inHand, split } from "./boxes";
import { coupBegun, leftShoe, reopened } from "./shoe";
import { type StepsOf, stackChanged } from "./steps";

function onFelt<E>(step: (felt: Felt, event: E) => Felt): (view: TableView, event: E) => TableView {
  return (view, event) => ({ ...view, felt: step(view.felt, event) });
}

/** For cards: the round is being played from the first one on. */
function playing<E>(step: (felt: Felt, event: E) => Felt): (view: TableView, event: E) => TableView {
  return (view, event) => ({ ...view, phase: "playing", felt: step(view.felt, event) });
}

function withoutTurn(felt: Felt): Felt {
  const { turn: _, ...rest } = felt;
  return rest;
}

function withCard(side: SideView | undefined, { card, total, soft }: CardDealt): SideView {
  return { cards: [...(side?.cards ?? []), card], total, soft };
}

function cardDealt(before: Felt, event: CardDealt): Felt {
  const felt = { ...before, shoe: leftShoe(before.shoe) };
  const { card, total, soft } = event;
  switch (event.place) {
    case "box":
      return withoutTurn(inHand(felt, event, (hand) => ({ ...hand, cards: [...hand.cards, card], total, soft })));
    case "dealer":
      return { ...felt, dealer: withCard(felt.dealer, event) };
    case "punto":
      return { ...felt, shoe: felt.punto ? felt.shoe : coupBegun(felt.shoe), punto: withCard(felt.punto, event) };
    case "banca":
      return { ...felt, banca: withCard(felt.banca, event) };
  }
}

export const feltSteps: StepsOf<FeltEvent> = {
  CardDealt: playing(cardDealt),
  TurnStarted: onFelt((felt, { box, hand, owner, legal }) => ({ ...felt, turn: { box, hand, owner, legal } })),
  ActionsChanged: onFelt((felt, { legal }) => (felt.turn ? { ...felt, turn: { ...felt.turn, legal } } : felt)),
  StakeAdded: (view, event) => {
    const hand = inHand(view.felt, event, (one) => ({ ...one, stake: one.stake + event.amount }));
    const felt = inBox(hand, event.box, (box) => ({ ...box, staked: box.staked + event.amount }));
    return stackChanged({ ...view, felt }, event.owner, -event.amount);
  },
  HandSplit: onFelt((felt, event) => withoutTurn(inBox(felt, event.box, (box) => split(box, event.hand)))),
  AllStood: onFelt((felt, { owner }) => ({ ...felt, standing: [...felt.standing, owner] })),
  HandClosed: onFelt((felt, event) =>
    withoutTurn(inHand(felt, event, (hand) => ({ ...hand, closed: event.why, by: event.by, doubled: event.why === "doubled" }))),
  ),
  DealerDone: onFelt((felt) => ({ ...felt, dealer_done: true })),
  HandSettled: onFelt((felt, event) => inHand(felt, event, (hand) => ({ ...hand, outcome: event.outcome, returned: event.returned }))),
  SpotSettled: onFelt((felt, { box, spot, outcome, returned }) =>
    inBox(felt, box, (one) => ({ ...one, spots: one.spots.map((each) => (each.spot === spot ? { ...each, outcome, returned } : each)) })),
  ),
  BoxSettled: (view, { box, owner, returned }) => {
    const felt = inBox(view.felt, box, (one) => ({ ...one, returned }));
    return stackChanged({ ...view, felt }, owner, returned);
  },
  ShoeOpened: onFelt((felt, { decks }) => ({ ...felt, shoe: reopened(felt.shoe, decks) })),
  CardBurnt: playing((felt, { card }) => ({ ...felt, shoe: { ...leftShoe(felt.shoe), burnt: [...felt.shoe.burnt, card] } })),
  CutCardShown: onFelt((felt, { last_coups }) => ({
    ...felt,
    shoe: { ...felt.shoe, last_coups: felt.punto ? last_coups : last_coups + 1 },
  })),
  ThirdCardDecided: onFelt((felt, { side, draws, row, column, source }) => ({
    ...felt,
    third: [...felt.third, { side, draws, row, column, source }],
  })),
  CoupDecided: onFelt((felt, { winner, punto, banca, natural, punto_pair, banca_pair }) => ({
    ...felt,
    coup: { winner, punto, banca, natural, punto_pair, banca_pair },
  })),
};
