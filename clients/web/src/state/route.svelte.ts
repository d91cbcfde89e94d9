/** Where on the site one is: the lobby, a table, one of its rounds, the check of that round. */

export type Route =
  | { readonly at: "lobby" }
  | { readonly at: "table"; readonly table: string }
  | { readonly at: "chart"; readonly table: string }
  | { readonly at: "round" | "check"; readonly table: string; readonly round: number };

function read(path: string): Route {
  const chart = /^\/t\/([a-z0-9][a-z0-9-]{0,31})\/chart$/.exec(path)?.[1];
  if (chart) return { at: "chart", table: chart };
  const [, table, round, check] = /^\/t\/([a-z0-9][a-z0-9-]{0,31})(?:\/(\d{1,15})(\/check)?)?$/.exec(path) ?? [];
  if (!table) return { at: "lobby" };
  return round ? { at: check ? "check" : "round", table, round: Number(round) } : { at: "table", table };
}

export function pathOf(route: Route): string {
  if (route.at === "lobby") return "/";
  if (route.at === "table") return `/t/${route.table}`;
  if (route.at === "chart") return `/t/${route.table}/chart`;
  return `/t/${route.table}/${route.round}${route.at === "check" ? "/check" : ""}`;
}

class Router {
  now: Route = $state.raw(read(location.pathname));

  constructor() {
    addEventListener("popstate", () => {
      this.now = read(location.pathname);
    });
  }

  go(route: Route): void {
    history.pushState(null, "", pathOf(route));
    this.now = route;
  }
}

export const router = new Router();
