/** 4. The bets at the close are what was placed, each by the holder of its box and within the limits. */

import { type Fact, type Says, is } from "./facts";
import type { Round } from "./round";
import { type Settings, limitsOf } from "./settings";
import { Unproven, shown } from "./unproven";

export type BoxBets = Says<"BettingClosed">["bets"][number];

export function checkBets(round: Round): void {
  const placed = new Map<string, Fact<"BetPlaced">>();
  const holders = round.record.start && [...round.record.start.boxes];
  let open = false;
  for (const fact of round.facts) {
    if (fact.t === "BettingOpened") open = true;
    if (fact.t === "BettingClosed") open = false;
    if (fact.t === "BoxTaken" && holders) holders[fact.box - 1] = fact.player;
    if (fact.t === "BoxFreed" && holders) holders[fact.box - 1] = null;
    if (fact.t !== "BetPlaced") continue;
    if (!open) throw new Unproven(`${fact.where}.t`, "out_of_place", fact.t);
    if (holders && holders[fact.box - 1] !== fact.player) throw new Unproven(`${fact.where}.player`, "not_the_holder", fact.player, shown(holders[fact.box - 1]));
    if (!limitsOf(round.settings).some(([spot]) => spot === fact.spot)) throw new Unproven(`${fact.where}.spot`, "malformed", fact.spot);
    placed.set(`${fact.box}/${fact.spot}`, fact);
  }
  if (!round.closed) return;
  const wanted = layOut([...placed.values()].filter((fact) => fact.amount > 0), round.settings);
  const found = round.closed.bets;
  if (shown(found) !== shown(wanted)) throw new Unproven(`${round.closed.where}.bets`, "differs", shown(found), shown(wanted));
  for (const box of found) checkLimits(box, round.settings, `${round.closed.where}.bets`);
}

/** In box order, and in each box in the game's order of spots. */
function layOut(placed: readonly Fact<"BetPlaced">[], settings: Settings): BoxBets[] {
  const spots = limitsOf(settings).map(([spot]) => spot);
  const boxes = [...new Set(placed.map((fact) => fact.box))].sort((one, other) => one - other);
  return boxes.map((box) => {
    const here = placed.filter((fact) => fact.box === box).sort((one, other) => spots.indexOf(one.spot) - spots.indexOf(other.spot));
    return { box, player: here[0]!.player, stakes: here.map(({ spot, amount }) => ({ spot, amount })) };
  });
}

function checkLimits({ box, stakes }: BoxBets, settings: Settings, where: string): void {
  for (const stake of stakes) checkStake({ box, ...stake }, settings, where);
  const main = settings.game === "punto_banco" || stakes.some((stake) => stake.spot === "main");
  if (!main) throw new Unproven(where, "outside_limits", `${box}: ${stakes.map((stake) => stake.spot).join(", ")}`, "main");
}

function checkStake({ box, spot, amount }: { readonly box: number; readonly spot: string; readonly amount: number }, settings: Settings, where: string): void {
  const [, least, most] = limitsOf(settings).find(([one]) => one === spot) ?? [];
  const here = `${box}: ${spot} ${amount}`;
  if (least === undefined || most === undefined || amount < least || amount > most) throw new Unproven(where, "outside_limits", here, `${least ?? 0} – ${most ?? 0}`);
  if (amount % settings.chip !== 0) throw new Unproven(where, "outside_limits", here, `n × ${settings.chip}`);
}

/** The players with a bet, each with the lowest box of theirs. */
export function bettors(round: Round): Map<string, number> {
  const found = new Map<string, number>();
  for (const { box, player } of round.closed?.bets ?? []) if (!found.has(player)) found.set(player, box);
  return found;
}

