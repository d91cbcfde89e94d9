/** The proof of a round: the checks of `protocol/README.md` in their order, and all that they found on the way. */

import { Accounts } from "./accounts";
import { checkBets } from "./bets";
import { type Deal, type ShoeState, checkCards } from "./cards";
import { type Fact, is } from "./facts";
import { type Legacy, checkJoin, follows } from "./joins";
import { type RoundRecord, labelOf, readRecord } from "./record";
import { type Contribution, checkReveals } from "./reveals";
import { type Round, checkChain, checkFrame, checkSettings } from "./round";
import { BlackjackRound } from "./rules/doubleExposure";
import { Felt, Void } from "./rules/felt";
import { type After, Coup } from "./rules/puntoBanco";
import { shoeAfter, shoeBefore } from "./shoeState";
import { checkStacks } from "./stacks";
import { Unproven } from "./unproven";

export const CHECKS = ["record", "settings", "chain", "frame", "bets", "reveals", "cards", "rules", "stacks", "join"] as const;
export type Check = (typeof CHECKS)[number];

/** `proven`; `failed`; `idle`: not reached; `silent`: the record has nothing to check this by. */
export type State = "proven" | "failed" | "idle" | "silent";

export interface Proof {
  /** As the record says, whether it can be read or not. */
  readonly table: string;
  readonly number: number;
  readonly record?: RoundRecord;
  readonly states: Readonly<Record<Check, State>>;
  readonly failure?: Unproven;
  readonly round?: Round;
  readonly parts?: readonly Contribution[];
  readonly deal?: Deal;
  /** Punto Banco: whether the shoe of this coup is proven from its opening on; else its beginning is the record's word. */
  readonly shoeProven?: boolean;
  readonly legacy?: Legacy;
}

type Found = { -readonly [K in keyof Proof]: Proof[K] } & { states: Record<Check, State> };

/** All of them, each held against the one before where it follows it. They come as they were in the file. */
export function proveAll(records: readonly unknown[]): Proof[] {
  const proofs: Proof[] = [];
  for (const record of records) proofs.push(prove(record, proofs.at(-1)?.legacy));
  return proofs;
}

export function prove(value: unknown, before?: Legacy): Proof {
  const { table, round } = labelOf(value);
  const found: Found = { table, number: round, states: Object.fromEntries(CHECKS.map((check) => [check, "idle"])) as Record<Check, State> };
  const ran = <T>(check: Check, run: () => T, told: (value: T) => State = () => "proven"): T => {
    found.states[check] = "failed";
    const value = run();
    found.states[check] = told(value);
    return value;
  };
  try {
    inOrder(found, ran, value, before);
  } catch (wrong) {
    if (!(wrong instanceof Unproven)) throw wrong;
    found.failure = wrong;
  }
  return found;
}

type Ran = <T>(check: Check, run: () => T, told?: (value: T) => State) => T;

function inOrder(found: Found, ran: Ran, value: unknown, earlier: Legacy | undefined): void {
  const record = (found.record = ran("record", () => readRecord(value)));
  const before = follows(record, earlier) ? earlier : undefined;
  const settings = ran("settings", () => checkSettings(record));
  const { batches, heads } = ran("chain", () => checkChain(record));
  const round = (found.round = ran("frame", () => checkFrame(record, settings, batches, heads)));
  ran("bets", () => checkBets(round), () => (round.closed ? "proven" : "silent"));
  const parts = (found.parts = ran("reveals", () => checkReveals(round), (value) => (value && round.closed ? "proven" : "silent")));
  const shoe = shoeBefore(record, settings, before?.shoe);
  const deal = (found.deal = ran("cards", () => checkCards(round, parts, shoe), ({ cards }) => (cards.length ? "proven" : "silent")));
  const coup = ran("rules", () => checkRules(round, shoe), () => (round.facts.some(is("CardDealt")) ? "proven" : "silent"));
  const books = ran("stacks", () => checkStacks(round), (value) => (value ? "proven" : "silent"));
  if (before) ran("join", () => checkJoin(record, before));
  else found.states.join = "silent";
  if (settings.game === "punto_banco") found.shoeProven = deal.opensShoe || (shoe?.proven ?? false);
  const after = settings.game === "punto_banco" ? shoeAfter(round, shoe, deal, coup) : undefined;
  found.legacy = { table: record.table, round: record.round, lastBatch: record.batches.at(-1)!, settings: settingsAfter(round), books, shoe: after };
}

/** Where a coup of Punto Banco leaves the shoe; undefined for a round that is void, or of the other game. */
function checkRules(round: Round, shoe: ShoeState | undefined): After | undefined {
  const felt = new Felt(round.facts, round.end, round.record.start && new Accounts(round.record.start));
  const bets = round.closed?.bets ?? [];
  try {
    if (round.settings.game === "punto_banco") return new Coup(felt, round.settings, bets).play(shoe);
    new BlackjackRound(felt, round.settings, bets).play();
  } catch (stopped) {
    if (!(stopped instanceof Void)) throw stopped;
  }
  return undefined;
}

function settingsAfter(round: Round): string {
  const changed: Fact<"SettingsChanged"> | undefined = round.after.find(is("SettingsChanged"));
  return changed?.settings ?? round.record.settings;
}
