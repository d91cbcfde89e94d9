/** In which beats the events of a batch are shown, and how long what they set in motion takes. */

import type { Event } from "$tapete";

/** Events that are shown together, and how long before the next ones. */
export interface Beat {
  readonly events: readonly Event[];
  readonly ms: number;
}

export const DEAL_MS = 220;
export const TURN_MS = 180;
/** The part of its flight after which a card turns. */
export const TURNS_AT = 0.6;
/** From the shoe until a card shows its face. */
export const SHOWN_MS = DEAL_MS * TURNS_AT + TURN_MS / 2;
export const CHIP_MS = 180;
export const SWEEP_MS = 420;
const GAP_MS = 120;
const BOX_MS = 90;
const WHY_MS = 650;
const LOST = new Set(["lose", "bust"]);

/** How long what an event sets in motion is under way. */
const MOVES_MS: Partial<Record<Event["t"], number>> = {
  BetPlaced: CHIP_MS,
  StakeAdded: CHIP_MS,
  CardDealt: DEAL_MS * TURNS_AT + TURN_MS,
  HandSplit: DEAL_MS,
  HandSettled: SWEEP_MS,
  SpotSettled: SWEEP_MS,
};

/** Until all that these events set in motion lies still. */
export function movesMs(events: readonly Event[]): number {
  return Math.max(0, ...events.map((event) => MOVES_MS[event.t] ?? 0));
}

/** The beats of one batch. Losing bets go first, then winners box by box; all that lies between comes at once. */
export function beatsOf(events: readonly Event[]): Beat[] {
  const beats: Beat[] = [];
  let quiet: Event[] = [];
  const beat = (event: Event, ms: number) => {
    beats.push({ events: [...quiet, event], ms });
    quiet = [];
  };
  for (const event of settledLast(events)) {
    switch (event.t) {
      case "CardDealt":
        beat(event, event.place === "box" ? GAP_MS : event.place === "dealer" ? GAP_MS + DEAL_MS / 2 : GAP_MS + DEAL_MS);
        break;
      case "ThirdCardDecided":
        beat(event, event.draws ? WHY_MS : GAP_MS);
        break;
      case "HandSplit":
      case "CoupDecided":
      case "DealerDone":
        beat(event, DEAL_MS + TURN_MS);
        break;
      case "BettingClosed":
        beat(event, SWEEP_MS);
        break;
      case "BoxSettled":
        beat(event, BOX_MS);
        break;
      case "HandSettled":
      case "SpotSettled":
        if (LOST.has(event.outcome) && !nextLost(events, event)) beat(event, SWEEP_MS);
        else quiet.push(event);
        break;
      default:
        quiet.push(event);
    }
  }
  if (quiet.length) beats.push({ events: quiet, ms: 0 });
  return beats;
}

/** Settlements of the same batch do not disturb each other: those that lost are told first. */
function settledLast(events: readonly Event[]): Event[] {
  const first = events.findIndex((event) => event.t === "HandSettled" || event.t === "SpotSettled");
  if (first < 0) return [...events];
  const settled = events.slice(first);
  const lost = settled.filter((event) => isLost(event));
  return [...events.slice(0, first), ...lost, ...settled.filter((event) => !isLost(event))];
}

function isLost(event: Event): boolean {
  return (event.t === "HandSettled" || event.t === "SpotSettled") && LOST.has(event.outcome);
}

/** Whether another bet loses after this one, so that they are swept together. */
function nextLost(events: readonly Event[], event: Event): boolean {
  return events.slice(events.indexOf(event) + 1).some(isLost);
}
