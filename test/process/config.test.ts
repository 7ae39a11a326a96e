import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretNames, variables } from '../../process/config-variables.ts';
import { ConfigError, loadConfig } from '../../process/config.ts';
import { generatePrivateKey } from '../../security/key-ring.ts';
import { newFolder } from '../support/folder.ts';
import { newSecretsKey } from '../support/seeds/sealed-secrets.ts';

type Needed = Parameters<
  typeof loadConfig<
    'DATABASE_URL' | 'JWT_KEYS' | 'JWT_SIGNING_KEY' | 'SECRETS_KEY' | 'TEMPORAL_TLS'
  >
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
  JWT_SIGNING_KEY: generatePrivateKey(),
  SECRETS_KEY: newSecretsKey(),
};
const neededNames = ['DATABASE_URL', 'JWT_SIGNING_KEY', 'SECRETS_KEY'] as const;

test('names a variable that Kubernetes sets for a Service, and what removes it', () => {
  for (const name of ['TEMPORAL_PORT', 'POSTGRES_PORT', 'METRICS_PORT', 'WORKER_HEALTH_PORT'])
    expect(messageOf({ [name]: 'tcp://10.96.0.17:7233' })).toBe(
      `${name}: must be a port; Kubernetes sets this value for a Service of that name: set ` +
        'enableServiceLinks: false in the pod',
    );
  expect(messageOf({ TEMPORAL_PORT: 'seven' })).toBe('TEMPORAL_PORT: must be a whole number');
});

// docs/configuration.md has every default; test/docs.test.ts compares it with the variables.
test('converts defaults in the same way as values', () => {
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

test('treats a blank value of every variable as unset', () => {
  const blank = Object.fromEntries(
    Object.keys(variables).map((name, index) => [name, ' '.repeat(index % 3)]),
  );
  const { temporalEnvironment: _handedOn, ...config } = loadConfig(blank);
  const { temporalEnvironment: _none, ...defaults } = loadConfig({});
  expect(config).toEqual(defaults);
});

test('passes on only the Temporal SDK’s own variables, and no blank one', () => {
  const own = { TEMPORAL_API_KEY: 'key' };
  const { temporalEnvironment } = loadConfig({ ...own, OTHER: 'x', PORT: '1' });
  expect(temporalEnvironment).toEqual(own);
  // The SDK takes a blank TEMPORAL_API_KEY for a key, and switches TLS on with it.
  const blank = loadConfig({ TEMPORAL_API_KEY: '', TEMPORAL_ADDRESS: ' ' });
  expect(blank.temporalEnvironment).toEqual({});
});

test.each(['temporal.example.org', 'ns.acct.tmprl.cloud:7233', '127.0.0.1:7233', '[::1]:7233'])(
  'accepts TEMPORAL_ADDRESS %s, without the spaces around it',
  (address) => {
    const { temporalEnvironment } = loadConfig({ TEMPORAL_ADDRESS: ` ${address}\n` });
    expect(temporalEnvironment).toEqual({ TEMPORAL_ADDRESS: address });
  },
);

const tlsMessageOf = (environment: Record<string, string>): string =>
  messageOf(environment, ['TEMPORAL_TLS']);

test('names the variable of TLS to Temporal that a process cannot use', async ({
  onTestFinished,
}) => {
  const folder = await newFolder(onTestFinished);
  const file = join(folder, 'secret');
  await writeFile(file, 'not-a-pem');
  const parts = ['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT'].map(
    (part) => `TEMPORAL_TLS_${part}`,
  );
  for (const part of parts) {
    expect(tlsMessageOf({ [`${part}_PATH`]: join(folder, 'none') })).toMatch(
      `${part}_PATH: ENOENT`,
    );
    expect(tlsMessageOf({ [`${part}_PATH`]: folder })).toMatch(`${part}_PATH: EISDIR`);
    expect(tlsMessageOf({ [`${part}_PATH`]: file })).toMatch(`${part}_PATH: must be a`);
    expect(tlsMessageOf({ [`${part}_DATA`]: 'not-a-pem' })).toMatch(`${part}_DATA: must be a`);
    expect(tlsMessageOf({ [`${part}_DATA`]: 'x', [`${part}_PATH`]: file })).toMatch(
      `${part}_PATH, ${part}_DATA: set only one of them`,
    );
    // The SDK reads no certificate then, and a process without a connection to Temporal none at all.
    expect(() => loadConfig({ [`${part}_PATH`]: '/none' })).not.toThrow();
    expect(() =>
      loadConfig({ TEMPORAL_TLS: 'false', [`${part}_PATH`]: '/none' }, ['TEMPORAL_TLS']),
    ).not.toThrow();
  }
  const key = generatePrivateKey();
  expect(tlsMessageOf({ TEMPORAL_TLS_CLIENT_KEY_DATA: key })).toMatch(/: set both or neither$/);
  // The SDK would connect without TLS.
  expect(tlsMessageOf({ TEMPORAL_TLS: 'yes' })).toBe('TEMPORAL_TLS: must be true or false');
});

test('trims and converts values', () => {
  const config = loadConfig({
    PORT: ' 8080 ',
    VAT_RATE: '0.05',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1, 10.1.1.1/32, ::1/128',
    WEBHOOK_ALLOWED_PORTS: '443, 9443',
    WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000/, HTTPS://Hooks.example.org',
    WEBHOOK_RETRY_DELAYS_MS: '0,1',
    JWT_SIGNING_KEY: generatePrivateKey().replaceAll('\n', '\\n'),
  });
  expect(config).toMatchObject({
    PORT: 8080,
    VAT_RATE: 500,
    TRUST_PROXY: ['10.0.0.0/8', '127.0.0.1', '10.1.1.1/32', '::1/128'],
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
])('reads VAT_RATE %s as %s basis points', (given, expected) => {
  expect(loadConfig({ VAT_RATE: given }).VAT_RATE).toBe(expected);
});

const key = newSecretsKey();

test.each<[name: string, ...values: string[]]>([
  ['NODE_ENV', 'staging'],
  ['LOG_LEVEL', 'loud'],
  ['PORT', 'abc', '-1', '65536', '80.5', '1e3', '0x50'],
  ['DATABASE_URL', 'nonsense', 'postgres://gateway:a/b@db.example.org/gateway'],
  ['DATABASE_URL', 'postgres://gateway:100%@db.example.org/gateway', 'https://db.example.org'],
  ['DATABASE_LISTEN_URL', 'postgres://gateway:a#b@db.example.org/gateway'],
  ['MIGRATION_DATABASE_URL', 'jdbc:postgresql://db.example.org/gateway'],
  ['DATABASE_POOL_MAX', '0'],
  ['VAT_RATE', '15', '0,15', '0.15001', '-0.15'],
  ['WEBHOOK_ALLOWED_PORTS', '443,x', '0'],
  ['WEBHOOK_RETRY_DELAYS_MS', '5000,-1', '5000;6000'],
  ['WEBHOOK_ALLOWED_ORIGINS', 'hooks.example.org', 'https://hooks.example.org/path'],
  ['WEBHOOK_ALLOWED_ORIGINS', 'https://u:p@hooks.example.org'],
  ['WEBHOOK_TIMEOUT_MS', '0'],
  ['INSPECTION_WINDOW_MS', '99999999999999'],
  ['DECISION_TIMEOUT_MS', '99'],
  ['TRUST_PROXY', 'nonsense', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::1/129'],
  ['RATE_LIMIT_BULK_ITEMS_PER_MINUTE', '999'],
  ['RATE_LIMIT_JOB_ITEMS_PER_MINUTE', '9999'],
  ['TEMPORAL_ADDRESS', 'https://temporal.example.org', 'temporal.example.org:x', '::1:7233'],
  ['TEMPORAL_ADDRESS', 'temporal.example.org:70000', 'temporal.example.org,other.example.org:1'],
  ['TEMPORAL_UI_URL', 'localhost:8233'],
  ['PUBLIC_URL', 'nonsense', 'ftp://vendor.example', 'https://vendor.example/?a'],
  ['JWT_SIGNING_KEY', 'not-a-pem'],
  ['JWT_PREVIOUS_KEY', 'not-a-pem'],
  ['SECRETS_KEY', 'dG9vIHNob3J0', `${key},dG9vIHNob3J0`, `${key},${key}`, ' , '],
  ['SECRETS_KEY', randomBytes(33).toString('base64')],
])('refuses a value of %s by its name, without repeating it: %s', (name, ...values) => {
  for (const value of values) {
    const message = messageOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: `));
    if (value.length > 3) expect(message).not.toContain(value);
  }
});

test.each([
  'postgres://gateway:a,b%2Fc@db.example.org/gateway?sslmode=verify-full',
  'postgresql://one.example.org:5432,two.example.org:5432/gateway',
  'postgres:///gateway?host=/var/run/postgresql',
])('accepts DATABASE_URL %s', (url) => {
  expect(loadConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
});

test('names every invalid variable, one line each', () => {
  expect(messageOf({ PORT: 'x', VAT_RATE: 'x', LOG_LEVEL: 'x' })).toMatch(
    /^PORT: .+\nLOG_LEVEL: .+\nVAT_RATE: .+$/,
  );
});

test('requires both name and secret of the operator', () => {
  expect(messageOf({ OPERATOR_ID: 'alice' })).toMatch(/OPERATOR_SECRET/);
  expect(messageOf({ OPERATOR_SECRET: 'x'.repeat(32) })).toMatch(/OPERATOR_ID/);
});

test('refuses a short secret of the operator without its text', () => {
  const message = messageOf({ OPERATOR_ID: 'alice', OPERATOR_SECRET: 'hunter2' });
  expect(message).toMatch(/^OPERATOR_SECRET: (?!.*hunter2)/);
});

const isRequired = (name: string) => `${name}: is required; set it`;

test('refuses to start a process while a variable that it needs is missing or blank', () => {
  expect(loadConfig(needed, neededNames)).toMatchObject({ DATABASE_URL: needed.DATABASE_URL });
  expect(messageOf({}, neededNames)).toBe(neededNames.map(isRequired).join('\n'));
  for (const name of neededNames) {
    expect(messageOf({ ...needed, [name]: '  ' }, neededNames)).toBe(isRequired(name));
    expect(loadConfig({ ...needed, [name]: '' })[name]).toBeUndefined();
  }
});

const privatePem = generatePrivateKey();
const publicPem = createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const rsaPem = rsa.export({ type: 'pkcs8', format: 'pem' }).toString();

test('requires a private Ed25519 key to sign', () => {
  const bare = privatePem.replaceAll(/-----.*-----\n/g, '').trim();
  for (const JWT_SIGNING_KEY of [publicPem, rsaPem, privatePem.slice(0, 60)]) {
    const message = messageOf({ JWT_SIGNING_KEY });
    expect(message).toMatch(/^JWT_SIGNING_KEY: must be an Ed25519 private key/);
    expect(message).not.toContain(bare);
  }
});

test('accepts either half of an Ed25519 key to verify, and no other key', () => {
  for (const JWT_PREVIOUS_KEY of [publicPem, privatePem]) {
    const config = loadConfig({ JWT_SIGNING_KEY: generatePrivateKey(), JWT_PREVIOUS_KEY });
    expect(config.JWT_PREVIOUS_KEY).toBe(JWT_PREVIOUS_KEY.trim());
  }
  expect(messageOf({ JWT_PREVIOUS_KEY: rsaPem })).toMatch(
    /^JWT_PREVIOUS_KEY: must be an Ed25519 key/,
  );
});

test('accepts signing keys for the API from a ring or the environment, not from both', () => {
  const JWT_KEYS_FILE = '/keys/jwt-keys.json';
  const JWT_SIGNING_KEY = generatePrivateKey();
  const neither = 'JWT_KEYS_FILE, JWT_SIGNING_KEY: one is required; set one of them';
  expect(messageOf({}, ['JWT_KEYS'])).toBe(neither);
  expect(messageOf({ JWT_KEYS_FILE: ' ', JWT_SIGNING_KEY: '' }, ['JWT_KEYS'])).toBe(neither);
  expect(loadConfig({ JWT_KEYS_FILE }, ['JWT_KEYS'])).toMatchObject({ JWT_KEYS_FILE });
  expect(loadConfig({ JWT_SIGNING_KEY }, ['JWT_KEYS'])).toMatchObject({
    JWT_SIGNING_KEY: JWT_SIGNING_KEY.trim(),
  });
  const both = 'JWT_KEYS_FILE, JWT_SIGNING_KEY: set only one of them';
  expect(messageOf({ JWT_KEYS_FILE, JWT_SIGNING_KEY })).toBe(both);
  const JWT_PREVIOUS_KEY = generatePrivateKey();
  const alone = 'JWT_PREVIOUS_KEY: requires JWT_SIGNING_KEY; set it too';
  expect(messageOf({ JWT_PREVIOUS_KEY })).toBe(alone);
  expect(messageOf({ JWT_KEYS_FILE, JWT_PREVIOUS_KEY })).toBe(alone);
});

test.for(secretNames)(
  'reads %s from the file of its variable',
  async (name, { onTestFinished }) => {
    const file = join(await newFolder(onTestFinished), 'secret');
    const value = {
      ...needed,
      DATABASE_LISTEN_URL: 'postgres://listen',
      MIGRATION_DATABASE_URL: 'postgres://owner',
      JWT_PREVIOUS_KEY: generatePrivateKey(),
      OPERATOR_SECRET: 'x'.repeat(32),
    }[name];
    const others = {
      ...(name === 'JWT_PREVIOUS_KEY' ? { JWT_SIGNING_KEY: generatePrivateKey() } : {}),
      ...(name === 'OPERATOR_SECRET' ? { OPERATOR_ID: 'alice' } : {}),
    };
    const variable = `${name}_FILE`;
    const missing = messageOf({ ...others, [variable]: file });
    expect(missing).toMatch(new RegExp(`^${variable}: ENOENT.*secret`));
    await writeFile(file, ' \n');
    expect(messageOf({ ...others, [variable]: file })).toBe(`${variable}: the file is empty`);
    await writeFile(file, `${value}\n`);
    expect(loadConfig({ ...others, [variable]: file })[name]).toBe(value.trim());
    expect(loadConfig({ ...others, [name]: value, [variable]: '/none' })[name]).toBe(value.trim());
  },
);
