import { isAccepted, signingKid, type KeyRing, type RingKey } from '../../security/key-ring.ts';

/** A ring as people read it: names and instants, nothing of a key. */

const titles = ['KID', 'NOW', 'CREATED', 'SIGNS FROM', 'ACCEPTED UNTIL'] as const;

export const instantText = (ms: number): string =>
  new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

function stateOf(key: RingKey, ring: KeyRing, nowMs: number): string {
  if (!isAccepted(key, nowMs)) return 'over';
  if (key.kid === signingKid(ring, nowMs)) return 'signs';
  return key.signsFromMs > nowMs ? 'accepted, will sign' : 'accepted';
}

/** What has no instant was there at the start, or has no end. */
const cellsOf = (key: RingKey, ring: KeyRing, nowMs: number): readonly string[] => [
  key.kid,
  stateOf(key, ring, nowMs),
  key.createdAtMs === 0 ? '-' : instantText(key.createdAtMs),
  key.signsFromMs === 0 ? '-' : instantText(key.signsFromMs),
  key.acceptedUntilMs === null ? '-' : instantText(key.acceptedUntilMs),
];

/** A line of titles and one for each key, in columns. */
export function describeRing(ring: KeyRing, nowMs: number): string {
  const rows = [titles, ...ring.map((key) => cellsOf(key, ring, nowMs))];
  const widths = titles.map((_title, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
