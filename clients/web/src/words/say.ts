/** Each event as a sentence, for whoever listens to the table. */

import type { CardDealt, Event, SpotSettled, TableView } from "$tapete";
import { cardName, chips, theCard, words } from "./index.svelte";
import { commissionOf, rulesOf } from "../state/rules";
import { TABLEAUX } from "../state/tableau";
import type { ActionName, SpotName } from "./words";

export function nameOf(view: TableView, player: string | null | undefined, me: string): string {
  const name = view.players.find((one) => one.player === player)?.name ?? player ?? "";
  return player === me ? words().you(name) : name;
}

export function spotName(spot: string): string {
  return words().spots[spot as SpotName] ?? spot;
}

/** A hand in words: whose box, and which hand where there are several. */
function where(view: TableView, at: { box: number; hand?: number }, me: string): string {
  const w = words();
  const owner = nameOf(view, view.boxes[at.box - 1], me);
  const hands = view.felt.boxes.find((box) => box.box === at.box)?.hands.length ?? 1;
  const hand = at.hand !== undefined && hands > 1 ? `, ${w.hand(at.hand + 1, hands)}` : "";
  return `${w.box(at.box)} (${owner})${hand}`;
}

function total(view: TableView, total_: number, soft: boolean): string {
  return view.game === "double_exposure" ? words().points(total_, soft) : String(total_);
}

function dealt(event: CardDealt, view: TableView, me: string): string {
  const w = words();
  const who = event.place === "box" ? where(view, event, me) : event.place === "dealer" ? w.dealer : w.sides[event.place];
  return w.say.dealt(who, cardName(event.card), total(view, event.total, event.soft));
}

function thirdWhy(column: number, looksAt: "third_card" | "three_card_total"): string {
  const pb = words().pb;
  if (column < 0) return pb.puntoStood;
  return looksAt === "third_card" ? pb.thirdWas(column) : pb.threeWere(column);
}

/** Undefined: nothing that anybody has to hear. */
export function say(event: Event, view: TableView, me: string): string | undefined {
  const w = words();
  const s = w.say;
  switch (event.t) {
    case "BoxTaken":
      return s.boxTaken(nameOf(view, event.player, me), event.box);
    case "BoxFreed":
      return s.boxFreed(event.box);
    case "PlayerLeaving":
      return s.leaving(nameOf(view, event.player, me));
    case "BettingOpened":
      return s.bettingOpened(String(event.round));
    case "BetPlaced": {
      const [name, spot] = [nameOf(view, event.player, me), spotName(event.spot)];
      return event.amount ? s.bet(name, chips(event.amount), spot) : s.betBack(name, spot);
    }
    case "PlayerReady":
      return event.ready ? s.ready(nameOf(view, event.player, me)) : undefined;
    case "BettingClosed":
      return s.closed;
    case "ClockExtended":
      return s.extended(Math.round(event.by_ms / 1000));
    case "PlayerAway":
      return s.away(nameOf(view, event.player, me));
    case "PlayerBack":
      return s.back(nameOf(view, event.player, me));
    case "PlayerTimedOut":
      return s.timedOut(nameOf(view, event.player, me));
    case "RoundVoided":
      return s.voided;
    case "TableFrozen":
      return s.frozen;
    case "TableClosed":
      return s.tableClosed;
    case "SettingsQueued":
      return s.settingsQueued;
    case "SettingsChanged":
      return s.settingsChanged;
    default:
      return sayFelt(event, view, me);
  }
}

function sayFelt(event: Event, view: TableView, me: string): string | undefined {
  const w = words();
  const s = w.say;
  switch (event.t) {
    case "CardDealt":
      return dealt(event, view, me);
    case "TurnStarted": {
      const hand = view.felt.boxes.find((box) => box.box === event.box)?.hands[event.hand];
      const points = hand ? total(view, hand.total, hand.soft) : "";
      if (event.owner !== me) return s.turn(where(view, event, me), points);
      const legal = w.or(event.legal.map((action) => w.actions[action as ActionName].toLowerCase()));
      return s.yourTurn(`: ${where(view, event, me)}`, points, legal);
    }
    case "HandSplit":
      return s.split(where(view, { box: event.box }, me));
    case "StakeAdded":
      return s.stake(nameOf(view, event.owner, me), chips(event.amount));
    case "AllStood":
      return s.allStood(nameOf(view, event.owner, me));
    case "HandClosed":
      return s.closedHand[event.why](where(view, event, me));
    case "DealerDone":
      return event.blackjack ? s.dealerBlackjack : event.total > 21 ? s.dealerBust(event.total) : s.dealerTotal(event.total);
    case "HandSettled":
      return s.outcome[event.outcome](where(view, event, me), chips(amountTold(event)));
    case "SpotSettled":
      return spotSettled(event, view, me);
    case "ShoeOpened":
      return s.shoe;
    case "CardBurnt":
      return s.burnt(cardName(event.card));
    case "CutCardShown":
      return s.cut(event.last_coups);
    case "ThirdCardDecided":
      if (event.side === "punto") return event.draws ? w.pb.puntoDraws(event.row) : w.pb.puntoStands(event.row);
      return bancaThird(event, view);
    case "CoupDecided": {
      const [high, low] = [Math.max(event.punto, event.banca), Math.min(event.punto, event.banca)];
      const won = event.winner === "tie" ? w.pb.tie(high) : w.pb.wins(w.sides[event.winner], String(high), String(low));
      const pairs = [...(event.punto_pair ? [s.pair(w.sides.punto)] : []), ...(event.banca_pair ? [s.pair(w.sides.banca)] : [])];
      return [`${won}.`, ...pairs].join(" ");
    }
    default:
      return undefined;
  }
}

function spotSettled(event: SpotSettled, view: TableView, me: string): string {
  const w = words();
  const told = w.say.outcome[event.outcome](`${where(view, { box: event.box }, me)}, ${spotName(event.spot)}`, chips(amountTold(event)));
  const commission = commissionOf(rulesOf(view.game, view.settings), event.spot, event.stake, event.returned);
  return commission ? told.replace(/\.$/, `, ${w.pb.commissionTaken(chips(commission))}.`) : told;
}

/** Why banca takes a third card, or does not. */
export function bancaThird({ draws, row, column }: { draws: boolean; row: number; column: number }, view: TableView): string {
  const pb = words().pb;
  const rules = rulesOf(view.game, view.settings);
  const looksAt = (rules.game === "punto_banco" && TABLEAUX[rules.tableau]?.looks_at) || "third_card";
  const why = thirdWhy(column, looksAt);
  return draws ? pb.bancaDraws(row, why) : pb.bancaStands(row, why);
}

/** What is won beyond the stake, what is lost, what comes back. */
function amountTold(event: { outcome: string; stake: number; returned: number }): number {
  return event.outcome === "win" || event.outcome === "blackjack" ? event.returned - event.stake : event.outcome === "push" ? event.returned : event.stake;
}

export { theCard };
