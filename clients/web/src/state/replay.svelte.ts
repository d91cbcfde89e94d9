/** A settled round, watched again, step by step, in the same view. */

import type { Event, TableView } from "$tapete";
import { reduce } from "../reduce";
import { house } from "./house.svelte";
import { eventsOf, type RoundRecord, viewBefore } from "./record";
import { PACES, prefs } from "./prefs.svelte";
import { type Rules, rulesOf } from "./rules";
import type { Seen } from "./seen";
import { Shoe } from "./shoe.svelte";
import { say } from "../words/say";

const QUIET = new Set<Event["t"]>(["ClockSet", "ClockExtended", "ChipsIn", "ChipsOut", "ChipsArrived", "PlayerAway", "PlayerBack", "RoundOpened", "BoxSettled"]);
const STEP_MS = 800;

export class Replay implements Seen {
  step = $state(0);
  moving = $state(false);
  playing = $state(false);
  private readonly views: readonly TableView[];
  private readonly steps: readonly Event[];
  private timer: ReturnType<typeof setInterval> | undefined;
  readonly shoe: Shoe;
  readonly watchOnly = true;
  readonly clock = undefined;
  readonly ticking = 0;
  readonly explained = undefined;
  readonly rules: Rules;

  constructor(record: RoundRecord, now: TableView) {
    const before = viewBefore(record, now);
    const views = [before];
    const steps: Event[] = [];
    let view = before;
    for (const event of eventsOf(record)) {
      view = reduce(view, event);
      if (QUIET.has(event.t)) views[views.length - 1] = view;
      else {
        views.push(view);
        steps.push(event);
      }
    }
    this.views = views;
    this.steps = steps;
    this.rules = rulesOf(now.game, record.settings);
    this.shoe = new Shoe(record.table);
  }

  get last(): number {
    return this.steps.length;
  }

  get stage() {
    return { view: this.views[this.step], moving: this.moving };
  }

  get lately(): Event | undefined {
    return this.step > 0 ? this.steps[this.step - 1] : undefined;
  }

  /** What this step was, as a sentence. */
  get sentence(): string {
    const event = this.lately;
    const view = this.views[this.step];
    return (event && view && say(event, view, this.me)) ?? "";
  }

  readonly me = house.player;
  readonly myName = house.name;

  get myBoxes(): number[] {
    return (this.stage.view?.boxes ?? []).flatMap((holder, place) => (holder === this.me ? [place + 1] : []));
  }

  get seated(): boolean {
    return true;
  }

  get betting() {
    const bets = this.stage.view?.bets ?? [];
    return {
      taking: [],
      total: 0,
      amount: ({ box, spot }: { box: number; spot: string }) => bets.find((bet) => bet.box === box && bet.spot === spot)?.amount ?? 0,
      isMine: (box: number) => this.stage.view?.boxes[box - 1] === this.me,
      click: () => undefined,
      takeBack: () => undefined,
    };
  }

  now(): number {
    return 0;
  }

  askToSit(): void {}

  go(step: number): void {
    this.moving = step === this.step + 1;
    this.step = Math.min(Math.max(step, 0), this.last);
  }

  toggle(): void {
    this.playing = !this.playing;
    clearInterval(this.timer);
    if (!this.playing) return;
    if (this.step === this.last) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step === this.last) this.toggle();
    }, STEP_MS * PACES[prefs.speed]);
  }

  end(): void {
    clearInterval(this.timer);
  }
}
