import type { Event, FeltEvent, PlayerView, TableEvent, TableView } from "$tapete";

type Step<E> = (view: TableView, event: E) => TableView;

/** One for each kind of event: a kind without a step does not compile. */
export type StepsOf<E extends Event> = { readonly [K in E["t"]]: Step<Extract<E, { t: K }>> };
export type Steps = StepsOf<TableEvent> & StepsOf<FeltEvent>;

export function inPlayer(view: TableView, player: string, change: (one: PlayerView) => PlayerView): TableView {
  return { ...view, players: view.players.map((one) => (one.player === player ? change(one) : one)) };
}

export function stackChanged(view: TableView, player: string, by: number): TableView {
  return inPlayer(view, player, (one) => ({ ...one, stack: one.stack + by }));
}
