/** How a chip is drawn: five colours, each with an edge of its own in form and number. */

const CENTRE = 24;

function polar(radius: number, degrees: number): string {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${(CENTRE + radius * Math.cos(angle)).toFixed(2)} ${(CENTRE + radius * Math.sin(angle)).toFixed(2)}`;
}

/** A ring segment about an angle, so many degrees wide inside and outside. */
function wedge(inner: number, outer: number, at: number, width: number, wide = width): string {
  return `M${polar(inner, at - width / 2)}L${polar(outer, at - wide / 2)}A${outer} ${outer} 0 0 1 ${polar(outer, at + wide / 2)}L${polar(inner, at + width / 2)}A${inner} ${inner} 0 0 0 ${polar(inner, at - width / 2)}Z`;
}

const around = (n: number, draw: (degrees: number) => string) => Array.from({ length: n }, (_, place) => draw((place * 360) / n)).join("");

export interface ChipLook {
  readonly colour: string;
  readonly mark: string;
  readonly edge: string;
}

const LOOKS: readonly ChipLook[] = [
  { colour: "var(--chip-1)", mark: "#51615a", edge: around(4, (at) => wedge(17.6, 23, at, 34)) },
  { colour: "var(--chip-5)", mark: "var(--chip-mark)", edge: around(6, (at) => wedge(17.6, 23, at, 22)) },
  { colour: "var(--chip-10)", mark: "var(--chip-mark)", edge: around(8, (at) => `M${polar(20.3, at)}m-2.1 0a2.1 2.1 0 1 0 4.2 0a2.1 2.1 0 1 0-4.2 0Z`) },
  { colour: "var(--chip-25)", mark: "var(--chip-mark)", edge: around(8, (at) => wedge(17.4, 23, at, 0.6, 26)) },
  { colour: "var(--chip-100)", mark: "var(--brass)", edge: around(6, (at) => wedge(17.6, 23, at - 6, 6) + wedge(17.6, 23, at + 6, 6)) },
];
const KNOWN = [100, 500, 1000, 2500, 10_000];

/** The five usual values look as they always do; others take the look of their place among the table's chips. */
export function lookOf(amount: number, chips: readonly number[]): ChipLook {
  const known = KNOWN.indexOf(amount);
  const usual = chips.every((chip) => KNOWN.includes(chip));
  const place = usual && known >= 0 ? known : chips.indexOf(amount);
  return LOOKS[((place % LOOKS.length) + LOOKS.length) % LOOKS.length]!;
}

/** What stands on a chip: short, since there is little room. */
export function faceOf(amount: number): string {
  const units = amount / 100;
  if (units >= 1_000_000) return `${units / 1_000_000}M`;
  return units >= 1000 ? `${units / 1000}k` : String(units).replace(/^0\./, ".");
}
