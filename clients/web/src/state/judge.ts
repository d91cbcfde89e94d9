/** Whether a decision is so bad that the page asks again (rules D19): by the exact odds of the table's rules where they are known, and
 * always where it loses against another decision whatever card comes. */

import type { TableView } from "$tapete";
import type { ActionName } from "../words/words";

/** Expected result of each legal decision, in minor units. */
export type Advice = Readonly<Partial<Record<ActionName, number>>>;

export type Why = "cannotBust" | "lost" | "won";

export interface Warning {
  readonly action: ActionName;
  readonly why: Why | undefined;
  readonly total: number;
  readonly dealer: number;
  readonly stake: number;
  readonly advice: Advice | undefined;
}

const DEALER_STANDS = 17;
/** A part of the stake: a decision that costs as much against the best one is asked about. */
const LOSS_MIN = 0.5;

export function judge(view: TableView, action: ActionName, advice?: Advice, hitsSoft17 = false): Warning | undefined {
  const turn = view.felt.turn;
  const hand = turn && view.felt.boxes.find((box) => box.box === turn.box)?.hands[turn.hand];
  if (!turn || !hand) return undefined;
  const dealer = view.felt.dealer?.total ?? 0;
  const final = dealerStands(view.felt.dealer, hitsSoft17);
  const why = worst(action, advice) ? reason(action, hand, dealer, final) : undefined;
  const best = advice && Math.max(...Object.values(advice));
  const costly = advice !== undefined && best !== undefined && best - (advice[action] ?? best) >= LOSS_MIN * hand.stake;
  return why || costly ? { action, why, total: hand.total, dealer, stake: hand.stake, advice } : undefined;
}

/** The best decision is never bad: with an open bonus bet it can be another one than it looks. */
const worst = (action: ActionName, advice: Advice | undefined): boolean => advice === undefined || (advice[action] ?? 0) < Math.max(...Object.values(advice));

const dealerStands = (dealer: { total: number; soft: boolean } | undefined, hitsSoft17: boolean): boolean =>
  dealer !== undefined && dealer.total >= DEALER_STANDS && !(hitsSoft17 && dealer.soft && dealer.total === DEALER_STANDS);

function reason(action: ActionName, hand: { total: number; soft: boolean }, dealer: number, final: boolean): Why | undefined {
  const standing = action === "stand" || action === "stand_all";
  if (standing && !hand.soft && hand.total <= 11) return "cannotBust";
  if (!final) return undefined;
  if (standing && hand.total <= dealer) return "lost";
  if ((action === "hit" || action === "double") && hand.total > dealer) return "won";
  return undefined;
}
