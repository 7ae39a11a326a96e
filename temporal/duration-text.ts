const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration: `72 h`, `90 s`, `1.5 s`. */
export function durationText(ms: number): string {
  const [unit, size] =
    units.find(([, size]) => ms >= size && ms % size === 0) ?? (['s', 1000] as const);
  return `${ms / size} ${unit}`;
}
