/** The printed lines of a road. */
export function grid(columns: number, rows: number, u: number, step = 1): string {
  let lines = "";
  for (let x = 0; x <= columns; x += step) lines += `M${x * u} 0V${rows * u}`;
  for (let y = 0; y <= rows; y += step) lines += `M0 ${y * u}H${columns * u}`;
  return lines;
}

/** How many columns to leave out, so that the newest one and a free one after it are in sight. */
export function shifted(last: number, width: number): number {
  return Math.max(0, last - width + 2);
}
