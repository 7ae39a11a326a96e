const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The range of a four-digit year. A filter outside it gives the same list as the bound. */
const earliest = '0001-01-01T00:00:00.000000Z';
const latest = '9999-12-31T23:59:59.999999Z';

const dayMs = 24 * 3_600_000;
/** A leap second is the last one of a month in UTC (RFC 3339, 5.7). */
const beginsMonth = (instant: Date): boolean =>
  instant.getUTCDate() === 1 && instant.getTime() % dayMs === 0;

/**
 * Converts an RFC 3339 instant with an offset or Z to UTC text with six decimals, which sorts by
 * time. Null for anything else, such as a date without a time or a day that does not exist. A leap
 * second becomes the second after it, as Postgres reads it.
 */
export function parseInstant(text: string): string | null {
  const [, day, minute, second, fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  if (day === undefined || minute === undefined || second === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  // JavaScript rejects a day that does not exist or rolls it over into the next month.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const isLeap = second === '60';
  const instant = new Date(`${day}T${minute}:${isLeap ? '59' : second}${offset.toUpperCase()}`);
  if (isLeap) instant.setTime(instant.getTime() + 1000);
  if (isLeap && !beginsMonth(instant)) return null;
  const year = instant.getUTCFullYear();
  if (year < 1) return earliest;
  if (year > 9999) return latest;
  return instant.toISOString().replace(/\.\d+Z$/, `.${fraction.slice(0, 6).padEnd(6, '0')}Z`);
}
