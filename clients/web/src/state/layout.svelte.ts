/** How much room there is. The style sheet places things; this says what is left out, or drawn small. */

export type Shape = "desk" | "tablet" | "phone" | "lying";

const LYING = "(max-height: 520px) and (orientation: landscape)";
const PHONE = "(max-width: 620px)";
const TABLET = "(max-width: 1099px)";
const LARGE = "(min-width: 1600px) and (min-height: 900px)";

class Layout {
  shape: Shape = $state("desk");
  large = $state(false);
  touch = $state(false);
  still = $state(false);

  constructor() {
    for (const query of [LYING, PHONE, TABLET, LARGE, "(pointer: coarse)", "(prefers-reduced-motion: reduce)"]) {
      matchMedia(query).addEventListener("change", () => this.look());
    }
    this.look();
  }

  get small(): boolean {
    return this.shape === "phone" || this.shape === "lying";
  }

  private look(): void {
    const is = (query: string) => matchMedia(query).matches;
    this.shape = is(LYING) ? "lying" : is(PHONE) ? "phone" : is(TABLET) ? "tablet" : "desk";
    this.large = is(LARGE);
    this.touch = is("(pointer: coarse)");
    this.still = is("(prefers-reduced-motion: reduce)");
  }
}

export const layout = new Layout();
