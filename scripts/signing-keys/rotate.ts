import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { tokenLifeMsMax } from '../../api/auth/token-keys.ts';
import { changeRing, readRing } from '../../security/key-ring-file.ts';
import {
  busyUntilMs,
  firstRing,
  KeyRingError,
  newPrivateKey,
  rereadMs,
  rotated,
  signingKid,
  type KeptRing,
} from '../../security/key-ring.ts';
import { describeRing, instantText } from './describe-ring.ts';
import type { KeyPlace } from './find-keys.ts';

type Options = {
  readonly leadMs: number;
  readonly revoke: boolean;
  readonly say: (line: string) => void;
};

const sayEveryMs = 5000;

function next(ring: KeptRing, leadMs: number): KeptRing {
  const nowMs = Date.now();
  const busyUntil = busyUntilMs(ring, nowMs);
  if (busyUntil !== null) {
    throw new KeyRingError(
      `A rotation is under way until ${instantText(busyUntil)}: two keys are accepted, and no third may be.\n` +
        'Try again then. If a key has leaked, --revoke ends all keys of before at once.',
    );
  }
  return rotated(ring, newPrivateKey(), { nowMs, leadMs, tokenLifeMs: tokenLifeMsMax });
}

/** Puts a new key into a ring's file and waits until it signs, or all processes must have read that it does. */
export async function rotateAndWait(
  place: Extract<KeyPlace, { kind: 'file' }>,
  { leadMs, revoke, say }: Options,
): Promise<void> {
  const ring = await changeRing(place.file, (before) =>
    revoke ? firstRing(newPrivateKey(), Date.now()) : next(before, leadMs),
  );
  const newKey = ring.at(-1);
  if (newKey === undefined) throw new Error('a rotation makes a key');
  say(`Keys of ${place.file}:`);
  say(describeRing(ring, Date.now()));
  if (revoke) {
    say(
      'The keys of before are revoked: within two seconds every API process refuses their tokens with 401, and\n' +
        'clients fetch new ones. Until then processes may refuse new tokens of one another.',
    );
  } else {
    say(
      `${newKey.kid} is accepted and published from now on. What is done is done: Ctrl-C ends the waiting only.`,
    );
  }
  await waitUntil(revoke ? newKey.signsFromMs + rereadMs : newKey.signsFromMs, say);
  const now = signingKid(readRing(place.file), Date.now());
  if (now !== newKey.kid) {
    throw new KeyRingError(`Another rotation has replaced ${newKey.kid} meanwhile: ${now} signs.`);
  }
  await checkPublished(place.apiUrl, newKey.kid);
  say(`${newKey.kid} signs.`);
}

async function waitUntil(untilMs: number, say: (line: string) => void): Promise<void> {
  for (let leftMs = untilMs - Date.now(); leftMs > 0; leftMs = untilMs - Date.now()) {
    say(`  ${Math.ceil(leftMs / 1000)} s to go`);
    await sleep(Math.min(leftMs, sayEveryMs));
  }
}

const published = v.object({ keys: v.array(v.object({ kid: v.string() })) });

/** An embedded gateway that was started with keys of its environment does not look into the ring of its home. */
async function checkPublished(apiUrl: string | undefined, kid: string): Promise<void> {
  if (apiUrl === undefined) return;
  let keys: v.InferOutput<typeof published>['keys'];
  try {
    const response = await fetch(`${apiUrl}/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(5000),
    });
    ({ keys } = v.parse(published, await response.json()));
  } catch {
    throw new KeyRingError(
      `The gateway at ${apiUrl} does not tell its keys: look whether it is well.`,
    );
  }
  if (keys.some((key) => key.kid === kid)) return;
  throw new KeyRingError(
    `The gateway at ${apiUrl} does not know the key ${kid}: it was started with keys of its environment, or cannot read the ring.`,
  );
}
