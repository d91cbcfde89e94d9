/** One table as this player sees it: what is true, what is shown, what may be done, and what was said. */

import type { Event, Refused, TableView } from "$tapete";
import { say } from "../words/say";
import { words } from "../words/index.svelte";
import type { ActionName } from "../words/words";
import { Follower, type Play } from "../wire/follower";
import { Refusal, type Session } from "../wire/session";
import { Betting, type Place, refusalText } from "./betting.svelte";
import { house } from "./house.svelte";
import { adviceOf, awaitOdds, type DoubleExposureOdds } from "./chart";
import { type Advice, judge, type Warning } from "./judge";
import { ofThisBrowser, ofThisTab } from "./given";
import { Part } from "./part";
import { PACES, prefs } from "./prefs.svelte";
import { type Rules, rulesOf } from "./rules";
import type { Seen } from "./seen";
import { Shoe } from "./shoe.svelte";
import { play as sound } from "./sounds";
import { Stage } from "./stage.svelte";

export type NoticeKind = "rewound" | "extended" | "timedOut" | "partTaken" | "partSent" | "moved";
export interface Notice {
  readonly kind: NoticeKind;
  readonly seconds: number;
  readonly round: number;
}

const EXPLAIN_MS = 3500;
const NOTICE_MS = 8000;
/** Nobody has to do anything about it. */
const MOVED_MS = 4000;
const SPOKEN_MAX = 12;
const TICK_MS = 250;

export class Room implements Seen {
  readonly stage: Stage;
  readonly follower: Follower;
  readonly betting: Betting;
  readonly part: Part;
  readonly shoe: Shoe;
  /** The newest view, not yet told in full. */
  truth: TableView | undefined = $state.raw();
  spectators = $state(0);
  control = $state(true);
  gone: Refused | true | undefined = $state.raw();
  notice: Notice | undefined = $state.raw();
  warning: Warning | undefined = $state.raw();
  odds: DoubleExposureOdds | undefined = $state.raw();
  /** The node has answered, if only that it does not know them. */
  oddsAsked = $state(false);
  private oddsOf = "";
  private askNoMore: () => void = () => undefined;
  /** A sentence about what could not be, instead of the event line, and the spot that shakes. */
  explained: { sentence: string; at: Place | undefined; count: number } | undefined = $state.raw();
  /** The latest sentences, for who listens. */
  spoken: readonly { id: number; sentence: string }[] = $state.raw([]);
  lastWin = $state(0);
  acting = $state(false);
  /** The last thing that happened in the hands, for the small line under the headline. */
  lately: Event | undefined = $state.raw();
  ticking = $state(0);
  /** A box that somebody without a name wants to sit at. */
  wantsToSit: number | undefined = $state.raw();
  private readonly ticker: ReturnType<typeof setInterval>;
  private count = 0;
  private won = 0;
  private explainTimer: ReturnType<typeof setTimeout> | undefined;
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly session: Session,
    readonly table: string,
  ) {
    this.stage = new Stage({ shown: (event, view) => this.shown(event, view) }, () => PACES[prefs.speed]);
    this.shoe = new Shoe(table);
    this.follower = new Follower(session, table, {
      batch: (batch) => this.take(batch.events, batch.at),
      snapshot: (view, rewound) => this.snapshot(view, rewound),
      control: (mine) => {
        this.control = mine;
      },
      crowd: (spectators) => {
        this.spectators = spectators;
      },
      gone: (refused) => {
        this.gone = refused ?? true;
      },
    });
    this.part = new Part(
      table,
      {
        me: () => session.player,
        now: () => this.now(),
        reveal: (round, entropy) => session.ask({ t: "Reveal", table, round, entropy }),
        denied: (round, early_ms, taken) => this.tellNotice(taken ? "partTaken" : "partSent", early_ms / 1000, round),
      },
      ofThisTab(table),
      ofThisBrowser,
    );
    this.betting = new Betting({
      session,
      follower: this.follower,
      part: this.part,
      view: () => this.truth,
      rules: () => this.rules,
      wallet: () => house.balance,
      me: () => house.player,
      explain: (sentence, at) => this.explain(sentence, at),
      refused: () => undefined,
      clicked: () => sound("chip"),
    });
    this.ticking = session.clock.now();
    this.ticker = setInterval(() => {
      this.ticking = session.clock.now();
    }, TICK_MS);
    this.follower.start();
  }

  leaveRoom(): void {
    clearInterval(this.ticker);
    this.stage.stop();
    this.askNoMore();
    this.follower.stop();
    clearTimeout(this.explainTimer);
    clearTimeout(this.noticeTimer);
  }

  private readonly readRules = $derived.by(() => (this.truth ? rulesOf(this.truth.game, this.truth.settings) : rulesOf("double_exposure", "{}")));

  get rules(): Rules {
    return this.readRules;
  }

  get me(): string {
    return house.player;
  }

  get myName(): string {
    return house.name;
  }

  readonly watchOnly = false;

  get myBoxes(): number[] {
    return (this.truth?.boxes ?? []).flatMap((holder, place) => (holder === this.me ? [place + 1] : []));
  }

  get seated(): boolean {
    return this.myBoxes.length > 0 || this.betting.taking.length > 0;
  }

  /** What this player may decide now; nothing while the hand is still on its way to the eye. */
  get legal(): readonly ActionName[] {
    const turn = this.truth?.felt.turn;
    const seen = this.stage.view?.felt.turn;
    if (!turn || turn.owner !== this.me || this.acting || !house.online) return [];
    if (seen?.box !== turn.box || seen.hand !== turn.hand || seen.owner !== turn.owner) return [];
    return turn.legal as readonly ActionName[];
  }

  get ready(): boolean {
    return this.truth?.players.find((one) => one.player === this.me)?.ready ?? false;
  }

  /** Chips and money of this player, here and in the wallet, as the felt shows them now. */
  get balance(): number {
    const stack = (this.stage.view ?? this.truth)?.players.find((one) => one.player === this.me)?.stack ?? 0;
    return house.balance + stack - this.betting.ahead;
  }

  get staked(): number {
    const view = this.stage.view;
    if (!view) return 0;
    const played = view.felt.boxes.filter((box) => view.boxes[box.box - 1] === this.me && box.returned === undefined);
    const onFelt = view.phase === "betting" ? 0 : played.reduce((sum, box) => sum + box.staked, 0);
    return onFelt + this.betting.total;
  }

  /** The countdown that matters now, in store time; undefined: none. */
  get clock(): { name: string; until_at: number; of_ms: number } | undefined {
    const view = this.truth;
    if (!view) return undefined;
    const at = (name: string) => view.clocks.find(([clock]) => clock === name)?.[1];
    const { times } = this.rules;
    const turn = at("turn");
    if (turn !== undefined) return { name: "turn", until_at: turn, of_ms: times.turn_ms };
    const betting = at("betting");
    if (betting !== undefined && view.phase === "betting") return { name: "betting", until_at: betting, of_ms: times.betting_ms };
    const pause = at("pause");
    return pause === undefined ? undefined : { name: "pause", until_at: pause, of_ms: times.pause_ms };
  }

  now(): number {
    return this.session.clock.now();
  }

  /** Ask before a very bad decision, else act. */
  decide(action: ActionName): void {
    if (!this.legal.includes(action)) return this.explain(words().whyNot[action]);
    const hitsSoft17 = this.rules.game === "double_exposure" && this.rules.dealer_hits_soft_17;
    const bad = prefs.warnings && this.truth ? judge(this.truth, action, this.advice, hitsSoft17) : undefined;
    if (bad) this.warning = bad;
    else void this.act(action);
  }

  /** What each legal decision of the hand that decides is worth, where the odds of the rules are known. */
  get advice(): Advice | undefined {
    const [felt, { odds, rules }] = [this.truth?.felt, this];
    const box = felt?.turn && felt.boxes.find((one) => one.box === felt.turn?.box);
    const hand = felt?.turn && box?.hands[felt.turn.hand];
    if (!odds || rules.game !== "double_exposure" || !box || !hand || !felt?.dealer || !felt.turn) return undefined;
    return adviceOf(odds, rules, box, hand, felt.dealer.cards, felt.turn.legal);
  }

  /** The odds of the table's rules, anew whenever these change. */
  private learnOdds(view: TableView): void {
    if (view.game !== "double_exposure" || view.settings === this.oddsOf) return;
    this.oddsOf = view.settings;
    this.askNoMore();
    this.askNoMore = awaitOdds(this.table, (found) => {
      this.odds = found;
      this.oddsAsked = true;
    });
  }

  async act(action: ActionName): Promise<void> {
    this.warning = undefined;
    const turn = this.truth?.felt.turn;
    if (!turn || turn.owner !== this.me) return;
    this.acting = true;
    await this.play({ t: "Act", box: turn.box, hand: turn.hand, action });
    this.acting = false;
  }

  async deal(): Promise<void> {
    await this.betting.settle();
    if (this.betting.total > 0) await this.play({ t: "Ready", ready: !this.ready });
  }

  /** Sit down; who has no name yet is asked for one first. */
  askToSit(box: number): void {
    if (house.named) void this.betting.takeBox(box);
    else this.wantsToSit = box;
  }

  async stand(box: number): Promise<void> {
    if (this.myBoxes.length <= 1) return this.leave();
    await this.play({ t: "FreeBox", box });
  }

  async leave(): Promise<void> {
    await this.play({ t: "Leave" });
  }

  explain(sentence: string, at?: Place): void {
    clearTimeout(this.explainTimer);
    this.explained = { sentence, at, count: ++this.count };
    this.speak(sentence);
    this.explainTimer = setTimeout(() => {
      this.explained = undefined;
    }, EXPLAIN_MS);
  }

  tellNotice(kind: NoticeKind, seconds = 0, round = 0): void {
    clearTimeout(this.noticeTimer);
    this.notice = { kind, seconds, round };
    if (kind === "partTaken") return; // a house that lies is not to be overlooked
    this.noticeTimer = setTimeout(() => {
      this.notice = undefined;
    }, kind === "moved" ? MOVED_MS : NOTICE_MS);
  }

  private async play(order: Play): Promise<void> {
    try {
      await this.follower.play(order);
    } catch (wrong) {
      if (wrong instanceof Refusal) this.explain(refusalText(wrong));
    }
  }

  private snapshot(view: TableView, rewound: boolean): void {
    this.truth = view;
    this.learnOdds(view);
    this.betting.caughtUp(view);
    this.stage.jump(view);
    this.shoe.see(view);
    this.warning = undefined;
    if (rewound) {
      this.tellNotice("rewound");
      void this.betting.layAgain();
    }
    this.part.see(view);
  }

  private take(events: readonly Event[], at: number): void {
    const after = this.follower.mirror.view;
    if (!after) return;
    this.truth = after;
    this.learnOdds(after);
    for (const event of events) this.heard(event, at);
    this.part.see(after);
    this.betting.caughtUp(after);
    if (this.warning && after.felt.turn?.owner !== this.me) this.warning = undefined;
    this.stage.tell(events, after);
  }

  /** At once, whatever is still being shown. */
  private heard(event: Event, at: number): void {
    this.part.hear(event, at);
    if (event.t === "BettingClosed") {
      const mine = event.bets.filter((bets) => bets.player === this.me);
      this.betting.closed(mine.flatMap((bets) => bets.stakes.map((stake) => ({ box: bets.box, ...stake }))));
    }
    if (event.t === "ClockExtended") this.tellNotice("extended", Math.round(event.by_ms / 1000));
    if (event.t === "PlayerTimedOut" && event.player === this.me) this.tellNotice("timedOut");
  }

  private shown(event: Event, view: TableView): void {
    this.shoe.hear(event, view);
    this.countWins(event, view);
    this.ring(event);
    if (LATELY.has(event.t)) this.lately = event;
    const sentence = say(event, view, this.me);
    if (sentence) this.speak(sentence);
  }

  private countWins(event: Event, view: TableView): void {
    if (event.t === "BettingClosed") this.won = 0;
    if ((event.t === "HandSettled" || event.t === "SpotSettled") && view.boxes[event.box - 1] === this.me) {
      this.won += Math.max(0, event.returned - event.stake);
    }
    if (event.t === "RoundSettled" && this.won > 0) {
      this.lastWin = this.won;
      sound("win");
    }
  }

  private ring(event: Event): void {
    if (event.t === "CardDealt" || event.t === "CardBurnt") sound("card");
    if (event.t === "TurnStarted" && event.owner === this.me) sound("turn");
    if (event.t === "BetPlaced" && event.player !== this.me) sound("chip");
  }

  private speak(sentence: string): void {
    this.spoken = [...this.spoken, { id: ++this.count, sentence }].slice(-SPOKEN_MAX);
  }
}

const LATELY = new Set<Event["t"]>(["CardDealt", "HandSplit", "HandClosed", "StakeAdded", "AllStood", "DealerDone", "PlayerTimedOut", "RoundVoided", "BettingOpened"]);
