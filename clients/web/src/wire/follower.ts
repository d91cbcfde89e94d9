/** Follows one table: keeps its mirror true, tells what happened, and numbers the player's commands there. */

import { type Ack, type Batch, type Crowd, type Gone, type Heartbeat, LIMITS, type Place, type Refused, type Snapshot, type TableView } from "$tapete";
import { Mirror } from "./mirror";
import type { Order } from "./line";
import { Refusal, type Session } from "./session";
import { Standing } from "./standing";

export interface FollowerEvents {
  /** A batch was folded in: `before` is the view that its events begin from. */
  batch(batch: Batch, before: TableView): void;
  /** The table as it stands, without a story of how it came to that. */
  snapshot(view: TableView, rewound: boolean): void;
  control(mine: boolean): void;
  crowd(spectators: number): void;
  gone(refused?: Refused): void;
}

type Seated = Extract<Order, { stint: number }>;
/** A command at this table, without what every one of them has. */
export type Play<C extends Seated = Seated> = C extends Seated ? Omit<C, "table" | "stint" | "seq"> : never;

export class Follower {
  readonly mirror = new Mirror();
  readonly standing = new Standing();
  private queue: Promise<unknown> = Promise.resolve();
  private resync_at = 0;
  private resync: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly session: Session,
    readonly table: string,
    private readonly events: FollowerEvents,
  ) {}

  get since(): { version: number; head: Uint8Array } | undefined {
    return this.mirror.since;
  }

  start(): void {
    this.session.follow(this);
  }

  stop(): void {
    this.ended = true;
    clearTimeout(this.resync);
    this.session.unfollow(this);
  }

  take(frame: Batch | Snapshot | Place | Crowd | Gone | Heartbeat, bytes: Uint8Array): void {
    if (this.ended) return;
    switch (frame.t) {
      case "Batch":
        return this.batch(frame, bytes);
      case "Snapshot":
        this.mirror.snapshot(frame);
        this.standing.snapshot(frame.view, this.session.player);
        return this.events.snapshot(frame.view, frame.rewound);
      case "Place":
        this.standing.place(frame);
        return this.events.control(frame.control);
      case "Crowd":
        return this.events.crowd(frame.spectators);
      case "Gone":
        return this.events.gone();
      case "Heartbeat":
        if (frame.v > this.mirror.version) this.ask();
    }
  }

  /** A batch that this release cannot read: only a snapshot helps. */
  unreadable(): void {
    this.mirror.distrust();
    this.ask();
  }

  refused(refused: Refused): void {
    this.events.gone(refused);
  }

  /** One command at a time, each with its number; a refused one uses up none. Raises `Refusal` or `Over`. */
  play(order: Play): Promise<Ack> {
    const turn = this.queue.then(() => this.send(order));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async send(order: Play): Promise<Ack> {
    for (let again = false; ; again = true) {
      const { stint, seq } = this.standing;
      try {
        const ack = await this.session.ask({ ...order, table: this.table, stint, seq: seq + 1 } as Order);
        if (stint === 0 && order.t === "TakeBox" && this.standing.stint === 0) this.standing.stint = ack.version ?? 0;
        this.standing.acked(stint, seq + 1);
        return ack;
      } catch (wrong) {
        if (!(wrong instanceof Refusal) || wrong.code !== "stale") throw wrong;
        this.standing.stale(wrong.frame);
        if (again || !isAbsolute(order)) throw wrong;
      }
    }
  }

  private batch(frame: Batch, bytes: Uint8Array): void {
    const before = this.mirror.view;
    const joined = this.mirror.batch(frame, bytes);
    if (joined === "apart") return this.ask();
    if (joined === "old" || !before) return;
    this.standing.batch(frame, this.session.player);
    this.events.batch(frame, before);
  }

  /** Watch anew, at most once in `RESYNC_MS_MIN`. */
  private ask(): void {
    if (this.resync !== undefined) return;
    const wait = Math.max(0, this.resync_at - performance.now());
    this.resync = setTimeout(() => {
      this.resync = undefined;
      this.resync_at = performance.now() + LIMITS.RESYNC_MS_MIN;
      if (!this.ended) void this.session.watch(this);
    }, wait);
  }
}

/** Commands that mean the same whatever happened in between; a decision in a hand does not. */
function isAbsolute(order: Play): boolean {
  return order.t !== "Act" && order.t !== "CashOut";
}
