/** This browser's visit to the house: who plays, the connection, the wallet, the lobby, and where on the site one is. */

import type { LobbyTable } from "$tapete";
import { type Connection, Session } from "../wire/session";
import { prefs } from "./prefs.svelte";

function address(): string {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

class House {
  session: Session | undefined = $state.raw();
  connection: Connection = $state.raw({ state: "connecting" });
  player = $state("");
  name = $state("");
  balance = $state(0);
  available = $state(true);
  node = $state("");
  /** Whether a node has taken over from another one since the page is open. */
  moved = $state(false);
  tables: readonly LobbyTable[] | undefined = $state.raw();
  /** Tables where this player has chips or boxes, as the node said at the sign-in. */
  seatedAt: readonly string[] = $state.raw([]);

  /** Where this player wants to sit as soon as the table is there; without a box, at the first free one. */
  sitAfterwards: { table: string; box: number | undefined } | undefined = $state.raw();

  /** Sign in: as the player of the remembered session, else as a new guest with this name, or without one. */
  enter(name?: string): void {
    this.session?.close();
    const identity = {
      name,
      get token() {
        return prefs.token || undefined;
      },
      set token(token: string | undefined) {
        prefs.keep({ token: token ?? "" });
      },
    };
    this.session = new Session(address(), identity, {
      connection: (now) => {
        this.connection = now;
      },
      welcome: (welcome) => {
        this.moved = this.node !== "" && this.node !== welcome.node;
        this.node = welcome.node;
        this.player = welcome.player;
        this.name = welcome.name;
        this.seatedAt = welcome.tables;
        this.available = true;
      },
      balance: (balance) => {
        this.balance = balance;
      },
      store: (available) => {
        this.available = available;
      },
      lobby: (tables) => {
        this.tables = tables;
      },
    });
    this.session.open();
  }

  /** A new player: the old one's money stays with the old name. */
  rename(name: string): void {
    prefs.keep({ name, token: "" });
    this.enter(name);
  }

  get online(): boolean {
    return this.connection.state === "online";
  }

  get named(): boolean {
    return prefs.name !== "";
  }
}

export const house = new House();
