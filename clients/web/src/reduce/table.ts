/** The table's part of `reduce`: boxes, players, chips, bets, clocks, and the round's phases. */

import { type BetPlaced, type BettingClosed, type ClockExtended, type ClockSet, type EntropyCommitted, type Felt, LIMITS, type TableEvent, type TableView } from "$tapete";
import { stakedBox } from "./boxes";
import { newShoe } from "./shoe";
import { inPlayer, type StepsOf, stackChanged } from "./steps";

const emptyFelt = (shoe: Felt["shoe"]): Felt => ({ shoe, boxes: [], dealer_done: false, standing: [], third: [] });

const nothing = (view: TableView): TableView => view;

function boxHeld(view: TableView, box: number, player: string | null): TableView {
  return { ...view, boxes: view.boxes.map((one, place) => (place + 1 === box ? player : one)) };
}

/** The stack pays for the difference to what lay there before. */
function betPlaced(view: TableView, event: BetPlaced): TableView {
  const here = (bet: { box: number; spot: string }) => bet.box === event.box && bet.spot === event.spot;
  const before = view.bets.find(here)?.amount ?? 0;
  const rest = view.bets.filter((bet) => !here(bet));
  const placed = { box: event.box, spot: event.spot, amount: event.amount };
  const bets = event.amount ? [...rest, placed] : rest;
  bets.sort((one, other) => one.box - other.box || (one.spot < other.spot ? -1 : 1));
  return stackChanged({ ...view, bets }, event.player, before - event.amount);
}

function bettingClosed(view: TableView, event: BettingClosed): TableView {
  const felt = { ...emptyFelt(view.felt.shoe), boxes: event.bets.map(stakedBox) };
  const contributions = event.commitments.map(({ player, commitment }) => ({ player, commitment, missing: false }));
  return { ...view, phase: "closing", bets: [], felt, contributions };
}

/** A later commitment of the same player takes the place of the first, and goes to the end. */
function entropyCommitted(view: TableView, { player, commitment }: EntropyCommitted): TableView {
  const rest = view.contributions.filter((one) => one.player !== player);
  return { ...view, contributions: [...rest, { player, commitment, missing: false }] };
}

function clock(view: TableView, event: ClockSet | ClockExtended): TableView {
  const rest = view.clocks.filter(([name]) => name !== event.clock);
  const clocks: [string, number][] = event.until_at ? [...rest.map(([n, at]): [string, number] => [n, at]), [event.clock, event.until_at]] : rest.map(([n, at]) => [n, at]);
  clocks.sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...view, clocks };
}

/** What lies on the felt and is not settled goes back to whoever holds its box. */
function roundVoided(view: TableView): TableView {
  const staked = view.bets.map((bet) => [bet.box, bet.amount] as const);
  const unsettled = view.felt.boxes.filter((box) => box.returned === undefined).map((box) => [box.box, box.staked] as const);
  let after = view;
  for (const [box, amount] of [...staked, ...unsettled]) {
    const holder = view.boxes[box - 1];
    if (holder) after = stackChanged(after, holder, amount);
  }
  return { ...after, phase: "settled", bets: [], commitment: new Uint8Array(), felt: emptyFelt(view.felt.shoe) };
}

export const tableSteps: StepsOf<TableEvent> = {
  TableOpened: (view, { name, game, settings, public: open, opener }) => ({ ...view, name, game, settings, public: open, opener }),
  SettingsChanged: (view, { settings }) => ({ ...view, settings, felt: emptyFelt(newShoe(view.game, settings)) }),
  SettingsQueued: nothing,
  BoxTaken: (view, { box, player, name }) => {
    const held = boxHeld(view, box, player);
    if (held.players.some((one) => one.player === player)) return held;
    const arrived = { player, name, stack: 0, away: false, held_until_at: 0, ready: false, leaving: false };
    return { ...held, players: [...held.players, arrived] };
  },
  BoxFreed: (view, { box }) => boxHeld(view, box, null),
  PlayerLeft: (view, { player }) => ({
    ...view,
    players: view.players.filter((one) => one.player !== player),
    contributions: view.contributions.filter((one) => one.player !== player),
  }),
  PlayerLeaving: (view, { player }) => inPlayer(view, player, (one) => ({ ...one, leaving: true })),
  ChipsIn: (view, { player, amount }) => stackChanged(view, player, amount),
  ChipsOut: (view, { player, amount }) => stackChanged(view, player, -amount),
  ChipsArrived: nothing,
  RoundOpened: (view, { round, commitment }) => ({
    ...view,
    round,
    commitment,
    phase: "settled",
    players: view.players.map((one) => ({ ...one, ready: false })),
    contributions: [],
  }),
  BettingOpened: (view) => ({ ...view, phase: "betting" }),
  BetPlaced: betPlaced,
  PlayerReady: (view, { player, ready }) => inPlayer(view, player, (one) => ({ ...one, ready })),
  EntropyCommitted: entropyCommitted,
  BettingClosed: bettingClosed,
  EntropyRevealed: (view, { player, entropy }) => ({
    ...view,
    contributions: view.contributions.map((one) => (one.player === player ? { ...one, entropy } : one)),
  }),
  EntropyClosed: (view, { missing }) => ({
    ...view,
    contributions: view.contributions.map((one) => ({ ...one, missing: missing.includes(one.player) })),
  }),
  ClockSet: clock,
  ClockExtended: clock,
  PlayerAway: (view, { player, held_until_at }) => inPlayer(view, player, (one) => ({ ...one, away: true, held_until_at })),
  PlayerBack: (view, { player }) => inPlayer(view, player, (one) => ({ ...one, away: false, held_until_at: 0 })),
  PlayerTimedOut: nothing,
  RoundSettled: (view, { result }) => ({
    ...view,
    phase: "settled",
    recent: [...view.recent, result].slice(-LIMITS.RECENT_RESULTS_MAX),
    commitment: new Uint8Array(),
  }),
  RoundVoided: roundVoided,
  TableFrozen: (view, { incident }) => ({ ...view, frozen: incident, clocks: [] }),
  TableClosed: (view) => ({ ...view, clocks: [] }),
};
