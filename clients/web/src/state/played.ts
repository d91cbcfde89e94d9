/** How somebody played a round: each decision, what it was worth, and what it cost against the best one. */

import type { Event, TableView } from "$tapete";
import { reduce } from "../reduce";
import type { ActionName } from "../words/words";
import { adviceOf, best, type DoubleExposureOdds } from "./chart";
import { eventsOf, type RoundRecord, viewBefore } from "./record";
import { rulesOf } from "./rules";

export interface Decision {
  readonly box: number;
  readonly hand: number;
  readonly cards: readonly string[];
  readonly total: number;
  readonly soft: boolean;
  readonly dealer: number;
  readonly action: ActionName;
  readonly best: ActionName;
  /** Minor units, on average. */
  readonly cost: number;
}

/** Of one player. What the house did for them is not theirs. */
export function decisionsOf(record: RoundRecord, now: TableView, odds: DoubleExposureOdds, player: string): Decision[] {
  const rules = rulesOf(now.game, record.settings);
  if (rules.game !== "double_exposure") return [];
  const found: Decision[] = [];
  let view = viewBefore(record, now);
  for (const event of eventsOf(record)) {
    const turn = view.felt.turn;
    const action = turn?.owner === player ? actionOf(event) : undefined;
    const box = turn && view.felt.boxes.find((one) => one.box === turn.box);
    const hand = turn && box?.hands[turn.hand];
    if (turn && action && box && hand && view.felt.dealer) {
      const dealer = view.felt.dealer;
      const advice = adviceOf(odds, rules, box, hand, dealer.cards, turn.legal);
      if (advice) {
        const top = best(advice);
        found.push({ box: turn.box, hand: turn.hand, cards: hand.cards, total: hand.total, soft: hand.soft, dealer: dealer.total, action, best: same(action, top) ? action : top, cost: (advice[top] ?? 0) - (advice[action] ?? 0) });
      }
    }
    view = reduce(view, event);
  }
  return found;
}

/** Standing on one hand and on all is worth the same. */
const same = (one: ActionName, other: ActionName) => one.replace("_all", "") === other.replace("_all", "");

function actionOf(event: Event): ActionName | undefined {
  if (event.t === "HandClosed" && event.why === "stood") return event.by === "player" ? "stand" : undefined;
  if (event.t === "AllStood") return event.by === "player" ? "stand_all" : undefined;
  if (event.t === "CardDealt" && event.place === "box") return "hit";
  if (event.t === "StakeAdded") return "double";
  return event.t === "HandSplit" ? "split" : undefined;
}
