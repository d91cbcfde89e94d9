/** Keeps the focus inside a dialog, gives it back afterwards, and takes Escape for the safe way out. */

const FOCUSABLE = "button:not(:disabled), summary, a[href], input:not(:disabled), select, textarea, [tabindex='0']";

export function trap(escape: () => void): (node: HTMLElement) => () => void {
  return (node) => {
    const before = document.activeElement;
    const inside = () => [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility());
    const key = (event: KeyboardEvent) => {
      event.stopPropagation();
      if (event.key === "Escape") escape();
      if (event.key !== "Tab") return;
      const all = inside();
      const [first, last] = [all[0], all.at(-1)];
      const at = document.activeElement;
      if (event.shiftKey && at === first) {
        event.preventDefault();
        last?.focus();
      } else if (!event.shiftKey && at === last) {
        event.preventDefault();
        first?.focus();
      }
    };
    node.addEventListener("keydown", key);
    (node.querySelector<HTMLElement>("[data-first]") ?? inside()[0])?.focus();
    return () => {
      node.removeEventListener("keydown", key);
      if (before instanceof HTMLElement) before.focus();
    };
  };
}
