/** What this browser gave to the cards of the last rounds, for whoever looks for it in their records. It is public by then. */

import { fromHex, hex } from "../wire/chain";

export const GIVEN_KEPT_MAX = 200;

/** A place of the browser for one text. */
export interface Shelf {
  read(): string | null;
  write(text: string): void;
}

/** As it is written down, bytes in hexadecimal. `house` is what the house was bound to: another house may have the same table. */
interface Written {
  readonly table: string;
  readonly round: number;
  readonly house: string;
  readonly entropy: string;
}

/** A browser that keeps nothing plays all the same, and forgets. */
function shelf(storage: () => Storage, key: string): Shelf {
  return {
    read: () => {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write: (text) => {
      try {
        storage().setItem(key, text);
      } catch {
        return;
      }
    },
  };
}

/** Of this tab: also after the page was loaded anew, and nobody else's. */
export const ofThisTab = (table: string): Shelf => shelf(() => sessionStorage, `tapete-part-${table}`);

/** Of this browser. */
export const ofThisBrowser: Shelf = shelf(() => localStorage, "tapete-given");

export function keepGiven(place: Shelf, given: Written): void {
  const others = read(place).filter((one) => one.entropy !== given.entropy);
  place.write(JSON.stringify([...others, given].slice(-GIVEN_KEPT_MAX)));
}

export function forgetGiven(place: Shelf, entropy: Uint8Array): void {
  place.write(JSON.stringify(read(place).filter((one) => one.entropy !== hex(entropy))));
}

/** The bytes that were sent for a round, which the house had opened with `commitment`. */
export function givenTo(place: Shelf, table: string, round: number, commitment: Uint8Array): Uint8Array[] {
  const house = hex(commitment);
  return read(place).flatMap((one) => (one.table === table && one.round === round && one.house === house ? [fromHex(one.entropy)] : []));
}

function read(place: Shelf): Written[] {
  try {
    const found: unknown = JSON.parse(place.read() ?? "[]");
    return Array.isArray(found) ? (found as Written[]) : [];
  } catch {
    return [];
  }
}
