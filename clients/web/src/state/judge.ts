/** Whether a decision is so bad that the page asks again (rules D19). With the server's advice it would be by figures; without, only
 * what loses against another decision whatever card comes. */

import type { TableView } from "$tapete";
import type { ActionName } from "../words/words";

/** Expected result of each legal decision, in minor units. What the server will say; nothing says it yet. */
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
/** A part of the stake: what a decision may cost against the best one before the page asks again. */
const LOSS_MAX = 0.2;

export function judge(view: TableView, action: ActionName, advice?: Advice): Warning | undefined {
  const turn = view.felt.turn;
  const hand = turn && view.felt.boxes.find((box) => box.box === turn.box)?.hands[turn.hand];
  if (!turn || !hand) return undefined;
  const dealer = view.felt.dealer?.total ?? 0;
  const why = reason(action, hand, dealer);
  const best = advice && Math.max(...Object.values(advice));
  const costly = advice !== undefined && best !== undefined && best - (advice[action] ?? best) > LOSS_MAX * hand.stake;
  return why || costly ? { action, why, total: hand.total, dealer, stake: hand.stake, advice } : undefined;
}

function reason(action: ActionName, hand: { total: number; soft: boolean }, dealer: number): Why | undefined {
  const standing = action === "stand" || action === "stand_all";
  if (standing && !hand.soft && hand.total <= 11) return "cannotBust";
  if (dealer < DEALER_STANDS) return undefined;
  if (standing && hand.total <= dealer) return "lost";
  if ((action === "hit" || action === "double") && hand.total > dealer) return "won";
  return undefined;
}
