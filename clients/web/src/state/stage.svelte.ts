/** What the page shows of a table: the mirror's view, a little later, one beat after another, so that cards come one by one.
 * Whoever arrives, or comes back from a background tab, is shown the table as it is, without a story. */

import type { Event, TableView } from "$tapete";
import { reduceAll } from "../reduce";

/** Events that are shown together, and how long before the next ones. */
export interface Beat {
  readonly events: readonly Event[];
  readonly ms: number;
}

export const DEAL_MS = 220;
export const TURN_MS = 180;
const GAP_MS = 120;
const SWEEP_MS = 420;
const BOX_MS = 90;
const WHY_MS = 650;
/** A story that would end later than this is not told. */
const LAG_MS_MAX = 12_000;

const LOST = new Set(["lose", "bust"]);

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

export interface StageEvents {
  /** Called after each event is in the view. */
  shown(event: Event, view: TableView): void;
}

export class Stage {
  view: TableView | undefined = $state.raw();
  /** Whether what appears now comes with its movement. */
  moving = $state.raw(false);
  /** Whether something is still being told. */
  busy = $state.raw(false);
  private queue: Beat[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lag_ms = 0;

  constructor(
    private readonly events: StageEvents,
    private readonly pace: () => number,
    private readonly hidden: () => boolean = () => document.hidden,
  ) {}

  /** The table as it is, at once. */
  jump(view: TableView): void {
    this.stop();
    this.moving = false;
    this.view = view;
  }

  /** Tell what happened, after what is still being told; `after` is what it comes to. */
  tell(events: readonly Event[], after: TableView): void {
    const beats = beatsOf(events);
    this.lag_ms += beats.reduce((sum, beat) => sum + beat.ms, 0) * this.pace();
    if (!this.view || this.hidden() || this.lag_ms > LAG_MS_MAX) {
      const untold = [...this.queue.flatMap((beat) => beat.events), ...events];
      this.jump(after);
      for (const event of untold) this.events.shown(event, after);
      return;
    }
    this.queue.push(...beats);
    if (!this.busy) this.next();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue = [];
    this.lag_ms = 0;
    this.busy = false;
  }

  private next(): void {
    this.timer = undefined;
    const beat = this.queue.shift();
    if (!beat || !this.view) {
      this.lag_ms = 0;
      this.busy = false;
      return;
    }
    this.busy = true;
    this.moving = true;
    this.view = reduceAll(this.view, beat.events);
    for (const event of beat.events) this.events.shown(event, this.view);
    const ms = beat.ms * this.pace();
    this.lag_ms -= ms;
    if (ms === 0) this.next();
    else this.timer = setTimeout(() => this.next(), ms);
  }
}
