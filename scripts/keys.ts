import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfigOrExit } from '../config.ts';
import { createRing, readRing } from '../security/key-ring-file.ts';
import {
  firstRing,
  fixedRing,
  KeyRingError,
  leadSecondsDefault,
  leadSecondsMin,
  newPrivateKey,
} from '../security/key-ring.ts';
import { findKeys } from './signing-keys/find-keys.ts';
import { describeRing } from './signing-keys/describe-ring.ts';
import { rotateAndWait } from './signing-keys/rotate.ts';
import { rotationByRestarts } from './signing-keys/rotation-by-restarts.ts';

/** `npm run keys`: shows, makes and rotates the keys that sign tokens. See docs/operating.md. */

const usage = `npm run keys -- list                       shows the keys: which signs, which are accepted until when
npm run keys -- rotate [--lead SECONDS]    makes a new key, and waits until it signs (default: ${leadSecondsDefault} s)
npm run keys -- rotate --revoke            makes a new key that signs at once; every token of the old ones is refused
npm run keys -- create FILE                makes a first key ring, for JWT_KEYS_FILE`;

const leadSecondsMax = 24 * 3600;

const say = (line: string) => {
  console.log(line);
};

type Wish =
  | { readonly command: 'list' }
  | { readonly command: 'create'; readonly file: string }
  | { readonly command: 'rotate'; readonly leadSeconds: number; readonly revoke: boolean };

function readArguments(): Wish | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { lead: { type: 'string' }, revoke: { type: 'boolean' } },
    });
    const [command, file, ...rest] = positionals;
    const { lead, revoke } = values;
    if (command === 'rotate' && file === undefined) {
      const leadSeconds = Number(lead ?? leadSecondsDefault);
      const isUnderstood = lead === undefined || (revoke !== true && /^\d{1,6}$/.test(lead));
      return isUnderstood ? { command, leadSeconds, revoke: revoke === true } : null;
    }
    if (lead !== undefined || revoke !== undefined || rest.length > 0) return null;
    if (command === 'list' && file === undefined) return { command };
    return command === 'create' && file !== undefined ? { command, file } : null;
  } catch {
    return null;
  }
}

const config = loadConfigOrExit();

function create(name: string): void {
  const file = resolve(name);
  const key = config.JWT_SIGNING_KEY ?? newPrivateKey();
  if (!createRing(file, firstRing(key, Date.now())))
    throw new KeyRingError(`${file} is there already.`);
  const origin = config.JWT_SIGNING_KEY === undefined ? 'a new key' : 'the key of JWT_SIGNING_KEY';
  say(`${file} is made, with ${origin}; only you may read it.`);
  say(describeRing(readRing(file), Date.now()));
}

async function list(): Promise<void> {
  const place = await findKeys(config);
  say(place.kind === 'file' ? `Keys of ${place.file}:` : 'Keys of the environment:');
  const ring = place.kind === 'file' ? readRing(place.file) : fixedRing(place);
  say(describeRing(ring, Date.now()));
}

async function rotate({
  leadSeconds,
  revoke,
}: Extract<Wish, { command: 'rotate' }>): Promise<void> {
  if (!revoke && (leadSeconds < leadSecondsMin || leadSeconds > leadSecondsMax)) {
    throw new KeyRingError(`--lead must be from ${leadSecondsMin} to ${leadSecondsMax} seconds.`);
  }
  const place = await findKeys(config);
  if (place.kind === 'environment') throw new KeyRingError(rotationByRestarts);
  await rotateAndWait(place, { leadMs: leadSeconds * 1000, revoke, say });
}

const wish = readArguments();
try {
  if (wish === null) throw new KeyRingError(usage);
  if (wish.command === 'create') create(wish.file);
  if (wish.command === 'list') await list();
  if (wish.command === 'rotate') await rotate(wish);
} catch (error) {
  if (!(error instanceof KeyRingError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
