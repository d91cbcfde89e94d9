/** The events of a log, by kind: every one that the protocol has, and of each the fields that a check looks at. */

import { type Fields, type Reader, flag, list, map, natural, or, positive, raw, struct, whole, words } from "./fields";
import { Unproven } from "./unproven";

const stake = struct({ spot: words, amount: natural });
const boxBets = struct({ box: whole, player: words, stakes: list(stake) });
const commitment = struct({ player: words, commitment: raw });

const SHAPES = {
  TableOpened: { settings: words },
  SettingsChanged: { settings: words },
  SettingsQueued: {},
  BoxTaken: { box: whole, player: words, name: or(words, "") },
  BoxFreed: { box: whole, player: words },
  PlayerLeft: { player: words },
  PlayerLeaving: { player: words },
  ChipsIn: { player: words, amount: positive },
  ChipsOut: { player: words, amount: positive },
  ChipsArrived: {},
  RoundOpened: { round: whole, commitment: raw },
  BettingOpened: { round: whole },
  BetPlaced: { box: whole, player: words, spot: words, amount: natural },
  PlayerReady: {},
  EntropyCommitted: { player: words, commitment: raw },
  BettingClosed: { round: whole, bets: list(boxBets), commitments: or(list(commitment), []) },
  EntropyRevealed: { player: words, entropy: raw },
  EntropyClosed: { round: whole, missing: list(words) },
  ClockSet: {},
  ClockExtended: {},
  PlayerAway: {},
  PlayerBack: {},
  PlayerTimedOut: { player: words },
  RoundSettled: { round: whole, result: words, secret: raw },
  RoundVoided: { round: whole, why: words, secret: raw },
  TableFrozen: {},
  TableClosed: {},
  CardDealt: { place: words, box: whole, hand: whole, card: words, total: whole, soft: flag, word: whole },
  TurnStarted: { box: whole, hand: whole, owner: words, legal: list(words) },
  ActionsChanged: { box: whole, hand: whole, legal: list(words) },
  StakeAdded: { box: whole, hand: whole, owner: words, amount: natural },
  HandSplit: { box: whole, hand: whole },
  AllStood: { owner: words, by: words },
  HandClosed: { box: whole, hand: whole, why: words, by: words },
  DealerDone: { total: whole, soft: flag, blackjack: flag, drew: flag },
  HandSettled: { box: whole, hand: whole, outcome: words, stake: natural, returned: natural },
  SpotSettled: { box: whole, spot: words, outcome: words, stake: natural, returned: natural },
  BoxSettled: { box: whole, owner: words, staked: natural, returned: natural },
  ShoeOpened: { decks: whole },
  CardBurnt: { card: words, word: whole },
  CutCardShown: { last_coups: whole },
  ThirdCardDecided: { side: words, draws: flag, row: whole, column: whole },
  CoupDecided: { winner: words, punto: whole, banca: whole, natural: flag, punto_pair: flag, banca_pair: flag },
} satisfies Record<string, Record<string, Reader<unknown>>>;

export type Kind = keyof typeof SHAPES;
/** What an event of a kind says. */
export type Says<K extends Kind> = Fields<(typeof SHAPES)[K]>;

/** An event and where it stands: in which batch, and in the record's own words. */
export type Fact<K extends Kind = Kind> = {
  [One in K]: Says<One> & { readonly t: One; readonly batch: number; readonly where: string };
}[K];

const FELT: ReadonlySet<string> = new Set<Kind>([
  "CardDealt", "TurnStarted", "ActionsChanged", "StakeAdded", "HandSplit", "AllStood", "HandClosed", "DealerDone", "HandSettled",
  "SpotSettled", "BoxSettled", "ShoeOpened", "CardBurnt", "CutCardShown", "ThirdCardDecided", "CoupDecided",
]);

/** Whether an event is one of the game's own, which all follow from cards, bets, settings and decisions. */
export const isOnTheFelt = (fact: Fact): boolean => FELT.has(fact.t);

export function readFact(value: unknown, batch: number, where: string): Fact {
  const kind = words(map(value, where).t, `${where}.t`);
  if (!Object.hasOwn(SHAPES, kind)) throw new Unproven(`${where}.t`, "unknown_event", kind);
  const shape: Readonly<Record<string, Reader<unknown>>> = SHAPES[kind as Kind];
  return { ...struct(shape)(value, where), t: kind, batch, where } as Fact;
}

export const is =
  <K extends Kind>(...kinds: readonly K[]) =>
  (fact: Fact): fact is Extract<Fact, { readonly t: K }> =>
    (kinds as readonly string[]).includes(fact.t);
