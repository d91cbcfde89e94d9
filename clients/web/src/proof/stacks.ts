/** 8. Boxes and stacks, from the start to the end of each batch and on to the next round's opening. */

import { Accounts, type Books } from "./accounts";
import type { Fact } from "./facts";
import { type Start } from "./record";
import type { Round } from "./round";
import { Unproven, shown } from "./unproven";

const BOXES = 4;

export function checkStart(start: Start): void {
  if (start.boxes.length !== BOXES) throw new Unproven("start.boxes", "malformed", shown(start.boxes));
  const holders = [...new Set(start.boxes.filter((holder) => holder !== null))];
  const listed = start.stacks.map(([player]) => player);
  if (shown(listed) !== shown(holders)) throw new Unproven("start.stacks", "differs", shown(listed), shown(holders));
}

/** The books right after the next round's opening, or at the record's end. Undefined where the record says nothing of them. */
export function checkStacks(round: Round): Books | undefined {
  const { start } = round.record;
  if (!start) return undefined;
  checkStart(start);
  const accounts = new Accounts(start);
  let books: Books | undefined;
  let last: Fact | undefined;
  for (const fact of [...round.facts, round.end, ...round.after]) {
    if (last && last.batch !== fact.batch) checkNonePoor(accounts, last);
    accounts.apply(fact);
    if (fact.t === "RoundOpened") books = accounts.books();
    last = fact;
  }
  checkNonePoor(accounts, round.end);
  return books ?? accounts.books();
}

function checkNonePoor(accounts: Accounts, at: Fact): void {
  for (const [player, amount] of accounts.stacks) {
    if (amount < 0) throw new Unproven(at.where, "below_zero", player, String(amount));
  }
}
