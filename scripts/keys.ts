import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { tokenLifeMsMax } from '../api/auth/token-keys.ts';
import { loadConfigOrExit } from '../process/config.ts';
import { configuredRing, ringFileOf } from '../embedded/keys/load-keys.ts';
import { readRuntimeInfo } from '../embedded/state/runtime-info.ts';
import { createRingFile, readRingFile, updateRingFile } from '../security/key-ring-file.ts';
import {
  createRing,
  currentSigningKey,
  describeRing,
  generatePrivateKey,
  isKeyRingProblem,
  KeyRingError,
  leadSecondsDefault,
  leadSecondsMin,
  missingRingText,
  refreshIntervalMs,
  requireRingOf,
  rotateRing,
} from '../security/key-ring.ts';
import { exitWithUsage, readCommandLine, runCommand } from './command-line.ts';

/** `npm run keys`: lists, creates and rotates the signing keys. See docs/operating/keys.md. */

const leadSecondsMax = 24 * 3600;

const leadRange = `${leadSecondsMin} to ${leadSecondsMax} s, default ${leadSecondsDefault} s`;

const usage = `npm run keys -- list
    lists the keys: which key signs, and until when each is accepted
npm run keys -- rotate [--lead SECONDS]
    adds a key and waits until it signs (${leadRange})
npm run keys -- rotate --revoke
    replaces all keys at once: every earlier token is refused
npm run keys -- create FILE
    creates a key ring for JWT_KEYS_FILE`;

const rotationByRestarts = `\
No command can change the signing key in the environment, JWT_SIGNING_KEY.
Rotate it by three restarts of all API processes, one process after another each time:
  1. Create a key (openssl genpkey -algorithm ed25519).
     Set its public half (openssl pkey -pubout) as JWT_PREVIOUS_KEY.
  2. Set the new key as JWT_SIGNING_KEY, and the old key as JWT_PREVIOUS_KEY.
  3. ${Math.ceil(tokenLifeMsMax / 60_000)} minutes after the last restart, remove JWT_PREVIOUS_KEY.
With JWT_KEYS_FILE a rotation takes one command and no restart: docs/operating/keys.md.`;

const leadSeconds = v.pipe(
  v.string(),
  v.regex(/^\d+$/),
  v.transform(Number),
  v.minValue(leadSecondsMin),
  v.maxValue(leadSecondsMax),
);
const requestSchema = v.union([
  v.strictObject({ words: v.strictTuple([v.literal('list')]) }),
  v.strictObject({ words: v.strictTuple([v.literal('create'), v.string()]) }),
  v.strictObject({ words: v.strictTuple([v.literal('rotate')]), revoke: v.literal(true) }),
  v.strictObject({
    words: v.strictTuple([v.literal('rotate')]),
    lead: v.optional(leadSeconds, String(leadSecondsDefault)),
  }),
]);

function parseRequest(): v.InferOutput<typeof requestSchema> {
  const { positionals: words, values } = readCommandLine(usage, {
    allowPositionals: true,
    options: { lead: { type: 'string' }, revoke: { type: 'boolean' } },
  });
  const { success, output } = v.safeParse(requestSchema, { words, ...values });
  return success ? output : exitWithUsage(usage);
}

const request = parseRequest();
const config = loadConfigOrExit();
const { JWT_SIGNING_KEY: signingKey, GATEWAY_ENVIRONMENT: environment } = config;

function ringFile(): string {
  const file = config.JWT_KEYS_FILE ?? ringFileOf(config.GATEWAY_HOME);
  if (existsSync(file)) return file;
  if (config.JWT_KEYS_FILE !== undefined) throw new KeyRingError(missingRingText(file));
  throw new KeyRingError('No keys: set JWT_KEYS_FILE, or start a gateway with `npm start` first.');
}

function list(): void {
  const source = signingKey === undefined ? ringFile() : 'the environment';
  const ring = configuredRing(config, source);
  console.log(`Keys of ${source}:\n${describeRing(ring, new Date())}`);
}

function create(path: string): void {
  const file = resolve(path);
  if (!existsSync(dirname(file))) throw new KeyRingError(`There is no folder ${dirname(file)}.`);
  const ring = createRing(signingKey ?? generatePrivateKey(), new Date(), environment);
  if (!createRingFile(file, ring)) throw new KeyRingError(`${file} exists already.`);
  const origin = signingKey === undefined ? 'a new key' : 'the key of JWT_SIGNING_KEY';
  console.log(
    `Created ${file} with ${origin}. Only you may read it.\n${describeRing(ring, new Date())}`,
  );
}

/**
 * Throws {@link KeyRingError} if the embedded gateway runs and does not publish the key `kid`: a
 * gateway that was started with JWT_SIGNING_KEY does not read the ring of its state directory.
 */
async function requirePublished(kid: string): Promise<void> {
  const apiUrl = (await readRuntimeInfo(config.GATEWAY_HOME))?.apiUrl;
  if (apiUrl === undefined) return;
  const jwks = await fetch(`${apiUrl}/.well-known/jwks.json`, { signal: AbortSignal.timeout(5000) })
    .then((response) => response.text())
    .catch(() => '');
  if (jwks.includes(kid)) return;
  throw new KeyRingError(
    `The gateway at ${apiUrl} does not publish ${kid}. ` +
      'It has keys in its environment, or cannot read the ring.',
  );
}

/**
 * Ends when every API process uses the new key. A `lead` (seconds) of null revokes all old keys.
 */
async function rotate(lead: number | null): Promise<void> {
  if (signingKey !== undefined) throw new KeyRingError(rotationByRestarts);
  const file = ringFile();
  const ring = updateRingFile(file, (before) => {
    // The ring in GATEWAY_HOME has the environment of that installation.
    if (config.JWT_KEYS_FILE !== undefined) requireRingOf(before, environment, file);
    const own = before.at(-1)?.environment ?? environment;
    const [privateKey, now] = [generatePrivateKey(), new Date()];
    if (lead === null) return createRing(privateKey, now, own);
    const leadMs = lead * 1000;
    const times = { now, leadMs, tokenLifeMs: tokenLifeMsMax };
    return rotateRing(before, privateKey, { ...times, environment: own });
  });
  const newKey = ring.at(-1);
  if (newKey === undefined) throw new Error('a rotation adds a key');
  console.log(`Keys of ${file}:\n${describeRing(ring, new Date())}`);
  console.log(
    lead === null
      ? 'All earlier keys are revoked. Within two seconds every API process refuses their ' +
          'tokens.\n' +
          'Until then, a process may refuse the new tokens of another.'
      : `${newKey.kid} is accepted now and signs in ${lead} s. Ctrl-C ends the wait only.`,
  );
  const readyAtMs = newKey.signsFrom.getTime() + (lead === null ? refreshIntervalMs : 0);
  // A timer may fire a millisecond before the clock reaches its time.
  while (Date.now() < readyAtMs) await sleep(readyAtMs - Date.now());
  const current = currentSigningKey(readRingFile(file), new Date()).kid;
  if (current !== newKey.kid) {
    throw new KeyRingError(
      `Another rotation has replaced ${newKey.kid} meanwhile: ${current} signs.`,
    );
  }
  if (config.JWT_KEYS_FILE === undefined) await requirePublished(newKey.kid);
  console.log(`${newKey.kid} signs.`);
}

await runCommand(async () => {
  if ('lead' in request) await rotate(request.lead);
  else if ('revoke' in request) await rotate(null);
  else if (request.words[0] === 'create') create(request.words[1]);
  else list();
}, isKeyRingProblem);
