/** A signed-in player: one connection after another, kept up as long as there is one, every command answered once. */

import type { Ack, Frame, LobbyTable, Refused, Welcome } from "$tapete";
import { StoreClock } from "./clock";
import type { Read } from "./codec";
import type { Follower } from "./follower";
import { Line, Lost, type Order } from "./line";
import { advisedMs, backoffMs, RESENDS_MAX, RETRIED, RETRIES_MAX, STABLE_MS_MIN } from "./patience";

export const CLIENT = "tapete-web";

/** The node said no: nothing changed. */
export class Refusal extends Error {
  constructor(readonly frame: Refused) {
    super(frame.message);
  }
  get code(): string {
    return this.frame.code;
  }
}

/** No command can be sent any more: the node asked not to come back, or this side closed. */
export class Over extends Error {
  constructor(readonly code: number) {
    super(`the session is over (${code})`);
  }
}

export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "online" }
  | { readonly state: "waiting"; readonly retry_at: number }
  | { readonly state: "refused"; readonly refused: Refused }
  | { readonly state: "over"; readonly code: number };

export interface Identity {
  readonly name: string | undefined;
  token: string | undefined;
}

export interface SessionEvents {
  connection(now: Connection): void;
  welcome(welcome: Welcome): void;
  balance(balance: number): void;
  store(available: boolean): void;
  lobby(tables: readonly LobbyTable[]): void;
}

const local_ms = () => performance.now();
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class Session {
  readonly clock = new StoreClock();
  player = "";
  available = true;
  private line: Line | undefined;
  private up = false;
  private waiters: (() => void)[] = [];
  private over: Over | undefined;
  private tries = 0;
  private began_ms = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private lobbyWanted = false;
  private readonly followers = new Map<string, Follower>();

  constructor(
    private readonly url: string,
    private readonly identity: Identity,
    private readonly events: SessionEvents,
    private readonly Socket: typeof WebSocket = WebSocket,
    private readonly chance: () => number = Math.random,
  ) {}

  /** Look for a connection, now. */
  open(): void {
    clearTimeout(this.retry);
    if (this.over || this.line) return;
    this.events.connection({ state: "connecting" });
    this.began_ms = local_ms();
    const line = new Line(this.url, { read: (read, bytes) => this.read(read, bytes), lost: (code) => this.lost(line, code) }, this.Socket);
    this.line = line;
    void this.signIn(line).catch(() => line.giveUp());
  }

  /** For good. */
  close(): void {
    this.end(new Over(1000));
    this.line?.giveUp(1000);
  }

  /** Send a command until it has its answer: again over the next connection when one breaks (the same command counts
   * once), again after a while when the node could not take it. Raises `Refusal` or `Over`. */
  async ask(order: Order): Promise<Ack> {
    let retries = 0;
    for (let resends = 0; resends <= RESENDS_MAX; resends++) {
      const line = await this.ready();
      try {
        const answer = await line.ask(order);
        if (answer.t === "Ack") {
          this.clock.hear(answer.now);
          return answer;
        }
        const refused = answer as Refused;
        if (!RETRIED.has(refused.code) || retries >= RETRIES_MAX) throw new Refusal(refused);
        await pause(backoffMs(retries, this.chance(), refused.retry_ms));
        retries += 1;
        resends -= 1;
      } catch (wrong) {
        if (!(wrong instanceof Lost)) throw wrong;
      }
    }
    throw new Over(1006);
  }

  follow(follower: Follower): void {
    this.followers.set(follower.table, follower);
    void this.watch(follower);
  }

  unfollow(follower: Follower): void {
    if (this.followers.get(follower.table) !== follower) return;
    this.followers.delete(follower.table);
    if (this.up) void this.ask({ t: "Unwatch", table: follower.table }).catch(() => undefined);
  }

  watchLobby(on: boolean): void {
    this.lobbyWanted = on;
    if (this.up) void this.ask({ t: "WatchLobby", on }).catch(() => undefined);
  }

  /** Ask for what a follower misses. */
  async watch(follower: Follower): Promise<void> {
    try {
      const since = follower.since;
      await this.ask({ t: "Watch", table: follower.table, ...(since ? { since } : {}) });
    } catch (wrong) {
      if (wrong instanceof Refusal) follower.refused(wrong.frame);
      else if (!(wrong instanceof Over)) throw wrong;
    }
  }

  private async ready(): Promise<Line> {
    while (!this.over && !(this.up && this.line)) await new Promise<void>((resolve) => this.waiters.push(resolve));
    if (this.over) throw this.over;
    return this.line as Line;
  }

  private async signIn(line: Line): Promise<void> {
    const { name, token } = this.identity;
    const who = token ? { token } : name ? { name } : {};
    const answer = await line.ask({ t: "Hello", client: CLIENT, ...who });
    if (answer.t === "Welcome") return this.signedIn(line, answer);
    const refused = answer as Refused;
    if (refused.code === "bad_token" && token) {
      this.identity.token = undefined;
      return this.signIn(line);
    }
    if (RETRIED.has(refused.code)) return line.giveUp();
    this.end(new Over(4500), { state: "refused", refused });
  }

  private async signedIn(line: Line, welcome: Welcome): Promise<void> {
    this.identity.token = welcome.token;
    this.player = welcome.player;
    this.clock.hear(welcome.now);
    this.available = true;
    this.events.welcome(welcome);
    this.events.balance(welcome.balance);
    for (const follower of this.followers.values()) {
      const since = follower.since;
      void line
        .ask({ t: "Watch", table: follower.table, ...(since ? { since } : {}) })
        .then((answer) => answer.t === "Refused" && follower.refused(answer))
        .catch(() => undefined);
    }
    if (this.lobbyWanted) void line.ask({ t: "WatchLobby", on: true }).catch(() => undefined);
    this.up = true;
    this.events.connection({ state: "online" });
    this.release();
  }

  private lost(line: Line, code: number): void {
    if (this.line !== line) return;
    this.line = undefined;
    this.up = false;
    if (this.over) return;
    const advised = advisedMs(code);
    if (advised === null) return this.end(new Over(code));
    this.tries = local_ms() - this.began_ms >= STABLE_MS_MIN ? 0 : this.tries + 1;
    const wait = backoffMs(this.tries, this.chance(), advised);
    this.retry = setTimeout(() => this.open(), wait);
    this.events.connection({ state: "waiting", retry_at: Date.now() + wait });
  }

  private end(over: Over, told: Connection = { state: "over", code: over.code }): void {
    if (this.over) return;
    this.over = over;
    this.up = false;
    clearTimeout(this.retry);
    this.events.connection(told);
    this.release();
  }

  private release(): void {
    for (const go of this.waiters.splice(0)) go();
  }

  private read(read: Read, bytes: Uint8Array): void {
    if (read.kind === "frame") this.take(read.frame, bytes);
    else if (read.kind === "resync") this.followers.get(read.table)?.unreadable();
  }

  private take(frame: Frame, bytes: Uint8Array): void {
    switch (frame.t) {
      case "Wallet":
        return this.events.balance(frame.balance);
      case "Lobby":
        return this.events.lobby(frame.tables);
      case "StoreState":
        this.available = frame.available;
        return this.events.store(frame.available);
      case "Heartbeat":
        this.clock.hear(frame.now);
        return this.followers.get(frame.table)?.take(frame, bytes);
      case "Batch":
      case "Snapshot":
      case "Place":
      case "Crowd":
      case "Gone":
        return this.followers.get(frame.table)?.take(frame, bytes);
    }
  }
}
