import * as v from 'valibot';
import { createKey, KeyRingError, type KeyRing } from './key-ring.ts';

/** The key ring as JSON text. No error message repeats a value, which may be a private key. */

const date = v.pipe(
  v.string(),
  // `toJSON` returns null for an invalid date, and another text for 31 February.
  v.check(
    (text) => new Date(text).toJSON() === text,
    'must be an instant such as 2026-01-31T08:00:00.000Z',
  ),
  v.transform((text) => new Date(text)),
);

const keySchema = v.pipe(
  v.strictObject({
    kid: v.string(),
    privateKey: v.string(),
    createdAt: date,
    signsFrom: date,
    acceptedUntil: v.nullable(date),
    environment: v.optional(v.string()),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { kid, privateKey, environment = null, ...times } = dataset.value;
    try {
      const key = createKey(privateKey, { ...times, environment });
      if (key.kid === kid) return key;
      addIssue({ message: 'kid does not belong to privateKey' });
    } catch {
      addIssue({ message: 'privateKey must be an Ed25519 private key (PKCS #8 PEM)' });
    }
    return NEVER;
  }),
);

/** The rules for two keys ensure that each token is accepted until it expires. */
const ringSchema = v.pipe(
  v.string(),
  v.parseJson({}, 'not JSON'),
  v.strictObject({
    keys: v.pipe(
      v.array(keySchema),
      v.check(({ length }) => length === 1 || length === 2, 'must contain one key or two'),
      v.check(
        (keys) => keys.at(-1)?.acceptedUntil === null,
        'acceptedUntil of the last key must be null',
      ),
      v.check(([older, newer]) => older?.kid !== newer?.kid, 'the two keys must differ'),
      v.check(
        ([older, newer]) => !older || !newer || older.signsFrom <= newer.signsFrom,
        'the second key must not sign before the first',
      ),
      v.check(
        ([older, newer]) => !older || !newer || (older.acceptedUntil ?? 0) >= newer.signsFrom,
        'acceptedUntil of the first key must not be before the second key signs',
      ),
    ),
  }),
);

/** The default messages of Valibot quote the value. */
function describeIssue(issue: v.InferIssue<typeof ringSchema>): string {
  const expected = issue.expected === 'never' ? 'unknown field' : `expected ${issue.expected}`;
  const reason = issue.expected === null ? issue.message : expected;
  return `${v.getDotPath(issue) ?? 'the content'}: ${reason}`;
}

/** Parses the text of a file. Throws {@link KeyRingError} with the file and the invalid field. */
export function parseRing(file: string, text: string): KeyRing {
  const { success, output, issues } = v.safeParse(ringSchema, text);
  if (success) return output.keys;
  throw new KeyRingError(`${file} is not a key ring: ${describeIssue(issues[0])}`);
}

export function formatRing(ring: KeyRing): string {
  const keys = ring.map(({ publicKey: _derived, environment, ...stored }) =>
    environment === null ? stored : { ...stored, environment },
  );
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}
