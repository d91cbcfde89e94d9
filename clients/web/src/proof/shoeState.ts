/** The shoe of Punto Banco before a round and after it. */

import type { Deal, ShoeState } from "./cards";
import { is } from "./facts";
import type { RoundRecord } from "./record";
import type { Round } from "./round";
import type { After } from "./rules/puntoBanco";
import { type Settings, readSettings } from "./settings";
import { CARDS, fullShoe } from "./shoe";
import { Unproven, shown } from "./unproven";

/** As the record's start says, or else as the round before left it. Undefined where nobody says. */
export function shoeBefore(record: RoundRecord, settings: Settings, before: ShoeState | undefined): ShoeState | undefined {
  const { start } = record;
  if (!start || settings.game !== "punto_banco") return before;
  const { left, coup, last_coup } = start;
  if (left === undefined || left.length !== CARDS.length) throw new Unproven("start.left", left ? "malformed" : "absent");
  if (coup === undefined) throw new Unproven("start.coup", "absent");
  const many = left.findIndex((count) => count > settings.decks || (coup === 0 && count < settings.decks));
  if (many >= 0) throw new Unproven("start.left", "differs", `${CARDS[many]}: ${left[many]}`, String(settings.decks));
  return { left, coup, last_coup, proven: coup === 0 || (before?.proven ?? false) };
}

/** After the round, and after new settings, which bring a new shoe. `coup` is absent where it is void. */
export function shoeAfter(round: Round, before: ShoeState | undefined, deal: Deal, coup: After | undefined): ShoeState | undefined {
  const changed = round.after.find(is("SettingsChanged"));
  if (changed) return freshShoe(readSettings(changed.settings));
  if (!coup || !deal.left) return before;
  return { left: deal.left, ...coup, proven: deal.opensShoe || (before?.proven ?? false) };
}

function freshShoe(settings: Settings): ShoeState | undefined {
  return settings.game === "punto_banco" ? { left: fullShoe(settings.decks), coup: 0, proven: true } : undefined;
}

export function checkSameShoe(record: RoundRecord, before: ShoeState): void {
  const { left, coup, last_coup } = record.start ?? {};
  for (const [name, found, wanted] of [["left", left, before.left], ["coup", coup, before.coup], ["last_coup", last_coup, before.last_coup]] as const) {
    if (shown(found) !== shown(wanted)) throw new Unproven(`start.${name}`, "differs", shown(found), shown(wanted));
  }
}
