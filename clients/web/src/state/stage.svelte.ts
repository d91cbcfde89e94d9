/** What the page shows of a table: the mirror's view, a little later, one beat after another, so that cards come one by one.
 * Whoever arrives, or comes back from a background tab, is shown the table as it is, without a story. */

import type { Event, TableView } from "$tapete";
import { reduceAll } from "../reduce";
import { type Beat, beatsOf, movesMs } from "./beats";

/** A story that would end later than this is not told. */
const LAG_MS_MAX = 12_000;

export interface StageEvents {
  /** Called after each event is in the view. */
  shown(event: Event, view: TableView): void;
}

export class Stage {
  view: TableView | undefined = $state.raw();
  /** Whether what appears now comes with its movement. */
  moving = $state.raw(false);
  /** Whether something is still being told, or moves. */
  busy = $state.raw(false);
  private queue: Beat[] = [];
  /** How long, after the beat that is shown, what was set in motion still moves. */
  private moves_ms = 0;
  private telling = false;
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
    if (!this.telling) this.next();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue = [];
    this.lag_ms = 0;
    this.moves_ms = 0;
    this.telling = false;
    this.busy = false;
  }

  private next(): void {
    clearTimeout(this.timer);
    const beat = this.queue.shift();
    if (!beat || !this.view) return this.rest();
    this.telling = true;
    this.busy = true;
    this.moving = true;
    this.view = reduceAll(this.view, beat.events);
    for (const event of beat.events) this.events.shown(event, this.view);
    const ms = beat.ms * this.pace();
    this.lag_ms -= ms;
    this.moves_ms = Math.max(this.moves_ms, movesMs(beat.events) * this.pace()) - ms;
    if (ms === 0) this.next();
    else this.timer = setTimeout(() => this.next(), ms);
  }

  /** All is told; the last cards and chips are still on their way. Whatever is told meanwhile does not wait for them. */
  private rest(): void {
    const ms = this.moves_ms;
    this.stop();
    if (ms <= 0) return;
    this.busy = true;
    this.timer = setTimeout(() => this.stop(), ms);
  }
}
