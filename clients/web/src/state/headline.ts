/** The event line: what happened, what is wanted. One sentence, and a smaller one below it. */

import type { TableView } from "$tapete";
import { chips, theCard, words } from "../words/index.svelte";
import { bancaThird, nameOf } from "../words/say";
import { layout } from "./layout.svelte";
import { commissionOf } from "./rules";
import type { Seen } from "./seen";

export interface Headline {
  readonly big: string;
  readonly small: string;
  readonly result: boolean;
}

const line = (big: string, small = "", result = false): Headline => ({ big, small, result });

export function headline(room: Seen, view: TableView, seconds: number | undefined): Headline {
  const w = words();
  if (view.frozen) return line(w.event.frozen);
  if (view.phase === "betting") return betting(room, view);
  if (view.phase === "closing") return line(w.event.closed);
  if (view.phase === "playing") return view.game === "punto_banco" ? coup(view) : playing(room, view);
  const result = view.game === "punto_banco" ? withNet(coup(view), room, view) : settled(room, view);
  return result.small || seconds === undefined ? result : { ...result, small: w.event.newBets(seconds) };
}

function betting(room: Seen, view: TableView): Headline {
  const e = words().event;
  const staked = new Set(view.bets.map((bet) => view.boxes[bet.box - 1]));
  if (room.betting.total > 0) staked.add(room.me);
  if (staked.size === 0) return line(e.placeBets, room.seated ? e.placeBetsHint : e.takeSeatHint);
  const missing = view.players.filter((one) => staked.has(one.player) && !one.ready && !one.away);
  const others = missing.filter((one) => one.player !== room.me).map((one) => one.name);
  const mine = missing.length > others.length;
  if (missing.length === 0) return line(e.allReady);
  const hint = layout.small ? "" : e.closesIn;
  if (mine) return line(others.length ? e.missingYouToo(others.join(", ")) : e.missingYou, hint);
  return line(others.length > 1 ? e.missingMany(words().and(others)) : e.missing(others[0] ?? ""), hint);
}

function playing(room: Seen, view: TableView): Headline {
  const w = words();
  const { turn, dealer } = view.felt;
  if (!turn) {
    if (view.felt.dealer_done && dealer) return dealerLine(view);
    const lately = sentence(room, view);
    return line(dealer && dealer.cards.length > 2 ? w.event.dealerPlays(dealer.total) : w.dealing, lately);
  }
  const hands = view.felt.boxes.find((box) => box.box === turn.box)?.hands ?? [];
  const hand = hands[turn.hand];
  const which = hands.length > 1 ? w.hand(turn.hand + 1, hands.length) : "";
  const points = hand ? w.points(hand.total, hand.soft) : "";
  if (turn.owner === room.me) {
    const several = room.myBoxes.length > 1 ? w.boxOf(turn.box) : "";
    const parts = [several, which, points].filter(Boolean);
    return line(w.event.yourTurn(parts.join(", "), ""), sentence(room, view));
  }
  return line(w.event.turn(nameOf(view, turn.owner, room.me), which ? `: ${which}` : ""), [sentence(room, view), points].filter(Boolean).join(": "));
}

function dealerLine(view: TableView): Headline {
  const w = words();
  const dealer = view.felt.dealer!;
  if (isBlackjack(dealer)) return line(w.play.dealerBlackjack, w.play.bonusesApart, true);
  if (dealer.total > 21) return line(w.event.dealerBusts(dealer.total));
  return line(w.event.dealerStands(dealer.total));
}

export function isBlackjack(side: { cards: readonly string[]; total: number }): boolean {
  return side.total === 21 && side.cards.length === 2;
}

function settled(room: Seen, view: TableView): Headline {
  const w = words();
  const dealer = view.felt.dealer;
  if (!dealer) return line(view.felt.boxes.length === 0 && room.lately?.t === "RoundVoided" ? w.event.voided : w.event.placeBets);
  const mine = view.felt.boxes.filter((box) => view.boxes[box.box - 1] === room.me && box.returned !== undefined);
  const story = dealerLine(view);
  if (isBlackjack(dealer)) {
    const pushed = mine.some((box) => box.hands.some((hand) => hand.outcome === "push"));
    return line(w.play.dealerBlackjack, [pushed ? w.play.pushed : "", w.play.bonusesApart].filter(Boolean).join(" "), true);
  }
  if (mine.length === 0) return { ...story, result: true };
  return line(net(mine), story.big, true);
}

export function net(boxes: readonly { staked: number; returned?: number }[]): string {
  const w = words();
  const sum = boxes.reduce((total, box) => total + (box.returned ?? 0) - box.staked, 0);
  return sum > 0 ? w.event.youWin(chips(sum)) : sum < 0 ? w.event.youLose(chips(-sum)) : w.event.youEven;
}

/** The card that just came, or what else just happened to a hand. */
function sentence(room: Seen, view: TableView): string {
  const w = words();
  const event = room.lately;
  if (event?.t === "CardDealt" && event.place === "box") {
    const owner = view.boxes[event.box - 1];
    return owner === room.me ? w.event.youReceive(theCard(event.card)) : w.event.receives(nameOf(view, owner, room.me), theCard(event.card));
  }
  if (event?.t === "HandSplit") return w.say.split(w.box(event.box));
  return "";
}

/** Where there is no room beside the names and the bets: what this coup brought the player, and what the house kept of it. */
function withNet(result: Headline, room: Seen, view: TableView): Headline {
  const mine = view.felt.boxes.filter((box) => view.boxes[box.box - 1] === room.me && box.returned !== undefined);
  if (!layout.small || mine.length === 0) return result;
  const kept = mine.flatMap((box) => box.spots).reduce((sum, { spot, stake, returned }) => sum + commissionOf(room.rules, spot, stake, returned), 0);
  const brought = [net(mine), ...(kept ? [words().pb.commissionTaken(chips(kept))] : [])].join(", ");
  return { ...result, small: `${brought}. ${result.small}` };
}

/** Punto Banco: the result or the cards so far, and why a third card came or did not. */
export function coup(view: TableView): Headline {
  const w = words();
  const { coup: decided, punto, banca, third } = view.felt;
  const why = third
    .map((third) => (third.side === "banca" ? bancaThird(third, view) : third.draws ? w.pb.puntoDraws(third.row) : w.pb.puntoStands(third.row)))
    .join(" ");
  if (!decided) return line(punto && banca && banca.cards.length > 1 ? `${w.sides.punto} ${punto.total} · ${w.sides.banca} ${banca.total}` : punto ? w.dealing : w.event.placeBets, why);
  const [high, low] = [Math.max(decided.punto, decided.banca), Math.min(decided.punto, decided.banca)];
  const big = decided.winner === "tie" ? w.pb.tie(high) : w.pb.wins(w.sides[decided.winner as "punto" | "banca"], String(high), String(low));
  if (!decided.natural) return line(big, why, true);
  const natural = [...(decided.punto >= 8 ? [w.pb.naturalOf(w.sides.punto, decided.punto)] : []), ...(decided.banca >= 8 ? [w.pb.naturalOf(w.sides.banca, decided.banca)] : [])];
  return line(big, `${natural.join(". ")}. ${w.pb.noThird}`, true);
}
