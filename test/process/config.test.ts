import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { variables } from '../../process/config-variables.ts';
import { ConfigError, loadConfig } from '../../process/config.ts';
import { newSigningKey } from '../security/signing-key.ts';

type Needed = Parameters<
  typeof loadConfig<'DATABASE_URL' | 'JWT_KEYS' | 'JWT_SIGNING_KEY' | 'SECRETS_KEY'>
>[1];

/** The error of a refused environment. */
function messageOf(environment: Record<string, string>, needed: Needed = []): string {
  try {
    loadConfig(environment, needed);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

const needed = {
  DATABASE_URL: 'postgres://gateway:pw@db.example.org/gateway',
  JWT_SIGNING_KEY: newSigningKey(),
  SECRETS_KEY: randomBytes(32).toString('base64'),
};
const neededNames = ['DATABASE_URL', 'JWT_SIGNING_KEY', 'SECRETS_KEY'] as const;

test('a variable that Kubernetes sets for a Service is named, with what removes it', () => {
  for (const name of ['TEMPORAL_PORT', 'POSTGRES_PORT', 'METRICS_PORT', 'WORKER_HEALTH_PORT'])
    expect(messageOf({ [name]: 'tcp://10.96.0.17:7233' })).toBe(
      `${name}: must be a port; Kubernetes sets this value for a Service of that name: set ` +
        'enableServiceLinks: false in the pod',
    );
  expect(messageOf({ TEMPORAL_PORT: 'seven' })).toBe('TEMPORAL_PORT: must be a whole number');
});

// docs/configuration.md has every default; test/docs.test.ts compares it with the variables.
test('defaults are converted as values are', () => {
  expect(loadConfig({})).toMatchObject({
    TRUST_PROXY: [],
    VAT_RATE: 1500,
    WEBHOOK_ALLOWED_PORTS: [443, 8443],
    WEBHOOK_KEEP_ANSWERS: true,
    WEBHOOK_RETENTION_MS: 30 * 24 * 3_600_000,
    isTracing: false,
    temporalEnvironment: {},
    proxyVariables: [],
  });
});

test('every variable is described', () => {
  for (const { description } of Object.values(variables)) expect(description).toMatch(/\.$|\)$/);
});

test('a blank value is unset, for every variable', () => {
  const blank = Object.fromEntries(
    Object.keys(variables).map((name, index) => [name, ' '.repeat(index % 3)]),
  );
  const { temporalEnvironment: _handedOn, ...config } = loadConfig(blank);
  const { temporalEnvironment: _none, ...defaults } = loadConfig({});
  expect(config).toEqual(defaults);
});

// The SDK takes a blank TEMPORAL_API_KEY for a key, and switches TLS on with it.
test('a blank Temporal variable is not handed on to the SDK', () => {
  const { temporalEnvironment } = loadConfig({ TEMPORAL_API_KEY: '', TEMPORAL_ADDRESS: ' ' });
  expect(temporalEnvironment).toEqual({});
});

test('values are trimmed and converted', () => {
  const config = loadConfig({
    PORT: ' 8080 ',
    VAT_RATE: '0.05',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
    WEBHOOK_ALLOWED_PORTS: '443, 9443',
    WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000/, HTTPS://Hooks.example.org',
    WEBHOOK_RETRY_DELAYS_MS: '0,1',
    JWT_SIGNING_KEY: newSigningKey().replaceAll('\n', '\\n'),
  });
  expect(config).toMatchObject({
    PORT: 8080,
    VAT_RATE: 500,
    TRUST_PROXY: ['10.0.0.0/8', '127.0.0.1'],
    WEBHOOK_ALLOWED_PORTS: [443, 9443],
    WEBHOOK_ALLOWED_ORIGINS: ['http://127.0.0.1:9000', 'https://hooks.example.org'],
    WEBHOOK_RETRY_DELAYS_MS: [0, 1],
  });
  expect(config.JWT_SIGNING_KEY).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

test.each([
  ['0.15', 1500],
  ['0.0', 0],
  ['0.0001', 1],
  ['0.29', 2900],
  ['0.9999', 9999],
])('VAT_RATE %s is %s basis points', (given, expected) => {
  expect(loadConfig({ VAT_RATE: given }).VAT_RATE).toBe(expected);
});

test.each([
  ['NODE_ENV', 'staging'],
  ['LOG_LEVEL', 'loud'],
  ['PORT', 'abc'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '1e3'],
  ['PORT', '0x50'],
  ['DATABASE_POOL_MAX', '0'],
  ['VAT_RATE', '15'],
  ['VAT_RATE', '0,15'],
  ['VAT_RATE', '0.15001'],
  ['VAT_RATE', '-0.15'],
  ['WEBHOOK_ALLOWED_PORTS', '443,x'],
  ['WEBHOOK_ALLOWED_PORTS', '0'],
  ['WEBHOOK_RETRY_DELAYS_MS', '5000,-1'],
  ['WEBHOOK_RETRY_DELAYS_MS', '5000;6000'],
  ['WEBHOOK_ALLOWED_ORIGINS', 'hooks.example.org'],
  ['WEBHOOK_ALLOWED_ORIGINS', 'https://hooks.example.org/path'],
  ['WEBHOOK_ALLOWED_ORIGINS', 'https://u:p@hooks.example.org'],
  ['WEBHOOK_TIMEOUT_MS', '0'],
  ['INSPECTION_WINDOW_MS', '99999999999999'],
  ['DECISION_TIMEOUT_MS', '99'],
  ['JWT_SIGNING_KEY', 'not-a-pem'],
  ['JWT_PREVIOUS_KEY', 'not-a-pem'],
  ['SECRETS_KEY', 'dG9vIHNob3J0'],
  ['SECRETS_KEY', randomBytes(33).toString('base64')],
  ['SECRETS_KEY', `${randomBytes(32).toString('base64')},dG9vIHNob3J0`],
  ['SECRETS_KEY', `${Buffer.alloc(32).toString('base64')},${Buffer.alloc(32).toString('base64')}`],
  ['SECRETS_KEY', ' , '],
])('%s=%s is refused by its name, without repeating the value', (name, value) => {
  const message = messageOf({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name}: `));
  if (value.length > 3) expect(message).not.toContain(value);
});

test('every bad variable is named, one line each', () => {
  const message = messageOf({ PORT: 'x', VAT_RATE: 'x', LOG_LEVEL: 'x' });
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'LOG_LEVEL',
    'VAT_RATE',
  ]);
});

test('an operator needs both its name and its secret, and a secret of some length', () => {
  expect(messageOf({ OPERATOR_ID: 'alice' })).toMatch(/OPERATOR_SECRET/);
  expect(messageOf({ OPERATOR_SECRET: 'x'.repeat(32) })).toMatch(/OPERATOR_ID/);
  const message = messageOf({ OPERATOR_ID: 'alice', OPERATOR_SECRET: 'hunter2' });
  expect(message).toMatch(/^OPERATOR_SECRET: /);
  expect(message).not.toContain('hunter2');
});

test.each(neededNames)(
  'a process that needs %s does not start without it, also when it is blank',
  (name) => {
    expect(loadConfig(needed, neededNames)).toMatchObject({ DATABASE_URL: needed.DATABASE_URL });
    const { [name]: _left, ...rest } = needed;
    expect(messageOf(rest, neededNames)).toBe(`${name}: is required; set it`);
    expect(messageOf({ ...rest, [name]: '  ' }, neededNames)).toBe(`${name}: is required; set it`);
    expect(loadConfig(rest)[name]).toBeUndefined();
  },
);

test('all that is needed and not set is named', () => {
  expect(messageOf({}, neededNames).split('\n')).toEqual(
    neededNames.map((name) => `${name}: is required; set it`),
  );
});

test('tokens are signed with a private Ed25519 key, and verified with either half of one', () => {
  const privatePem = newSigningKey();
  const publicPem = createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const rsaPem = rsa.export({ type: 'pkcs8', format: 'pem' }).toString();
  const bare = privatePem.replaceAll(/-----.*-----\n/g, '').trim();
  for (const JWT_SIGNING_KEY of [publicPem, rsaPem, privatePem.slice(0, 60)]) {
    const message = messageOf({ JWT_SIGNING_KEY });
    expect(message).toMatch(/^JWT_SIGNING_KEY: must be an Ed25519 private key/);
    expect(message).not.toContain(bare);
  }
  for (const JWT_PREVIOUS_KEY of [publicPem, privatePem]) {
    const config = loadConfig({ JWT_SIGNING_KEY: newSigningKey(), JWT_PREVIOUS_KEY });
    expect(config.JWT_PREVIOUS_KEY).toBe(JWT_PREVIOUS_KEY.trim());
  }
  expect(messageOf({ JWT_PREVIOUS_KEY: rsaPem })).toMatch(
    /^JWT_PREVIOUS_KEY: must be an Ed25519 key/,
  );
});

test('the API takes signing keys from a ring or from the environment, and not from both', () => {
  const JWT_KEYS_FILE = '/keys/jwt-keys.json';
  const JWT_SIGNING_KEY = newSigningKey();
  const neither = 'JWT_KEYS_FILE, JWT_SIGNING_KEY: one is required; set one of them';
  expect(messageOf({}, ['JWT_KEYS'])).toBe(neither);
  expect(messageOf({ JWT_KEYS_FILE: ' ', JWT_SIGNING_KEY: '' }, ['JWT_KEYS'])).toBe(neither);
  expect(loadConfig({ JWT_KEYS_FILE }, ['JWT_KEYS'])).toMatchObject({ JWT_KEYS_FILE });
  expect(loadConfig({ JWT_SIGNING_KEY }, ['JWT_KEYS'])).toMatchObject({
    JWT_SIGNING_KEY: JWT_SIGNING_KEY.trim(),
  });
  const both = 'JWT_KEYS_FILE, JWT_SIGNING_KEY: set only one of them';
  expect(messageOf({ JWT_KEYS_FILE, JWT_SIGNING_KEY })).toBe(both);
  const JWT_PREVIOUS_KEY = newSigningKey();
  const alone = 'JWT_PREVIOUS_KEY: requires JWT_SIGNING_KEY; set it too';
  expect(messageOf({ JWT_PREVIOUS_KEY })).toBe(alone);
  expect(messageOf({ JWT_KEYS_FILE, JWT_PREVIOUS_KEY })).toBe(alone);
});

test("the Temporal SDK's own variables are handed on, others are not", () => {
  const { temporalEnvironment } = loadConfig({ TEMPORAL_API_KEY: 'key', OTHER: 'x', PORT: '1' });
  expect(temporalEnvironment).toEqual({ TEMPORAL_API_KEY: 'key' });
});
