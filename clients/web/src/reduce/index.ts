/** What each event does to a view: exactly what a snapshot after it would show. The table is in `protocol/README.md`. */

import type { Event, TableView } from "$tapete";
import { feltSteps } from "./felt";
import type { Steps } from "./steps";
import { tableSteps } from "./table";

const STEPS: Steps = { ...tableSteps, ...feltSteps };

export function reduce(view: TableView, event: Event): TableView {
  return (STEPS[event.t] as (view: TableView, event: Event) => TableView)(view, event);
}

export function reduceAll(view: TableView, events: readonly Event[]): TableView {
  return events.reduce(reduce, view);
}
