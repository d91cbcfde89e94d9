/** What this browser remembers of its player: language, sound, speed, warnings, the chip in hand, the name and the session. */

export type Language = "es" | "en";
export type Speed = "calm" | "normal" | "fast";
export const PACES: Readonly<Record<Speed, number>> = { calm: 1.4, normal: 1, fast: 0.6 };

const KEY = "tapete";

interface Kept {
  language: Language;
  sound: boolean;
  speed: Speed;
  warnings: boolean;
  chip: number;
  name: string;
  token: string;
  watcher: boolean;
}

function browserLanguage(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    if (tag.startsWith("es")) return "es";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

function read(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
  } catch {
    return {};
  }
}

class Prefs {
  #kept: Kept = $state({ language: browserLanguage(), sound: false, speed: "normal", warnings: true, chip: 0, name: "", token: "", watcher: false, ...read() });

  get language() {
    return this.#kept.language;
  }
  get sound() {
    return this.#kept.sound;
  }
  get speed() {
    return this.#kept.speed;
  }
  get warnings() {
    return this.#kept.warnings;
  }
  /** Place of the chip in a table's tray, from 0 for the lowest. */
  get chip() {
    return this.#kept.chip;
  }
  get name() {
    return this.#kept.name;
  }
  /** Said to look on only, and is not asked for a name until wanting to sit. */
  get watcher() {
    return this.#kept.watcher;
  }
  get token() {
    return this.#kept.token;
  }

  keep(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      return; // a browser without storage plays all the same, and forgets
    }
  }
}

export const prefs = new Prefs();
