import * as v from 'valibot';
import { keptKey, KeyRingError, type KeptKey, type KeptRing } from './key-ring.ts';

/** A ring as the text of its file, and back. No message repeats a value: it might be a private key. */

const isInstant = (text: string): boolean => {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && new Date(ms).toISOString() === text;
};
const instant = v.pipe(
  v.string('must be an instant'),
  v.check(isInstant, 'must be an instant such as 2026-01-31T08:00:00.000Z'),
  v.transform(Date.parse),
);

type StrictIssue = { readonly expected: string | null; readonly received: string };
const entriesMessage = ({ expected, received }: StrictIssue): string =>
  expected === 'never'
    ? 'is unknown'
    : received === 'undefined'
      ? 'is missing'
      : 'must be an object';

const keyForm = v.strictObject(
  {
    kid: v.string('must be a text'),
    privateKey: v.string('must be a PEM'),
    createdAt: instant,
    signsFrom: instant,
    acceptedUntil: v.nullable(instant),
  },
  entriesMessage,
);
const ringForm = v.strictObject(
  {
    keys: v.pipe(
      v.array(keyForm, 'must be a list'),
      v.minLength(1, 'must have a key'),
      v.maxLength(2, 'must have two keys at most'),
    ),
  },
  entriesMessage,
);

type WrittenKey = v.InferOutput<typeof keyForm>;

function readKey(
  { kid, privateKey, createdAt, signsFrom, acceptedUntil }: WrittenKey,
  index: number,
): KeptKey {
  const times = { createdAtMs: createdAt, signsFromMs: signsFrom, acceptedUntilMs: acceptedUntil };
  let key: KeptKey;
  try {
    key = keptKey(privateKey, times);
  } catch {
    throw new KeyRingError(
      `keys.${index}.privateKey: must be an Ed25519 private key (PKCS #8 PEM)`,
    );
  }
  if (key.kid !== kid) throw new KeyRingError(`keys.${index}.kid: is not the name of this key`);
  return key;
}

/** What must be true of two keys, so that no token is refused before its time. */
function checkOrder(ring: KeptRing): void {
  const [older, newer] = ring.length === 1 ? [undefined, ring[0]] : ring;
  if (newer?.acceptedUntilMs !== null) {
    throw new KeyRingError(
      `keys.${ring.length - 1}.acceptedUntil: must be null, no key follows this one`,
    );
  }
  if (older === undefined) return;
  if (older.kid === newer.kid) throw new KeyRingError('keys.1.kid: is that of the first key');
  if (older.signsFromMs > newer.signsFromMs) {
    throw new KeyRingError('keys.1.signsFrom: must not be before that of the first key');
  }
  if (older.acceptedUntilMs === null || older.acceptedUntilMs < newer.signsFromMs) {
    throw new KeyRingError('keys.0.acceptedUntil: must be an instant after the second key signs');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its own message quotes the text.
    throw new KeyRingError('not JSON');
  }
}

/** Reads a ring. Throws {@link KeyRingError}, which says where it is wrong. */
export function parseRing(text: string): KeptRing {
  const parsed = v.safeParse(ringForm, parseJson(text));
  if (!parsed.success) {
    const [{ message }] = parsed.issues;
    throw new KeyRingError(`${v.getDotPath(parsed.issues[0]) ?? 'the whole'}: ${message}`);
  }
  const ring = parsed.output.keys.map(readKey);
  checkOrder(ring);
  return ring;
}

const textOf = (ms: number): string => new Date(ms).toISOString();

export function formatRing(ring: KeptRing): string {
  const keys = ring.map(({ kid, privateKey, createdAtMs, signsFromMs, acceptedUntilMs }) => ({
    kid,
    privateKey,
    createdAt: textOf(createdAtMs),
    signsFrom: textOf(signsFromMs),
    acceptedUntil: acceptedUntilMs === null ? null : textOf(acceptedUntilMs),
  }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}
