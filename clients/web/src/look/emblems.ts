/** What stands on the figures, in place of a portrait. */
export const EMBLEMS: Readonly<Record<string, string>> = {
  K: '<path d="M-9 4V-4.500L-4.500-.5 0-6.500 4.500-.5 9-4.500V4Z"/><path d="M-9 6.200H9V7.700H-9Z"/>',
  Q: '<path d="M-9 4C-8-.5-5-2.500 0-2.500S8-.5 9 4Z"/><circle cx="-6.500" cy="-3.600" r="1.500"/><circle cy="-6" r="1.800"/><circle cx="6.500" cy="-3.600" r="1.500"/><path d="M-9 6.200H9V7.700H-9Z"/>',
  J: '<path d="M-8 5C-4 2-2-5 7-7 8-1 3 5-4 6.500Z"/><path d="M-9 6.200H9V7.700H-9Z"/>',
};
