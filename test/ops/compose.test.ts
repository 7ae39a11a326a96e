import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '../../process/config.ts';

/** What docker-compose.yml needs on an engine. `ops/compose/trial` tries all of it on one. */

const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const [, templates = '', services = ''] = /^(.*?)^services:\n(.*?)^\S/ms.exec(text) ?? [];

/** The lines below each key of an indentation, by key. */
const blocksOf = (lines: string, indent: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .split(new RegExp(`^${indent}(?=[\\w-]+:)`, 'm'))
      .slice(1)
      .map((block): [string, string] => [block.slice(0, block.indexOf(':')), block]),
  );
const template = blocksOf(templates, '');
/** Each service with the text of the template that it merges. */
const merged = new Map(
  [...blocksOf(services, '  ')].map(([name, block]): [string, string] => {
    const source = /<<: \*(gateway|temporal-tools)\n/.exec(block)?.[1];
    return [name, block + (source === undefined ? '' : String(template.get(`x-${source}`)))];
  }),
);
const named = (has: (block: string) => boolean): readonly string[] =>
  [...merged].filter(([, block]) => has(block)).map(([name]) => name);
const all = [...merged.keys()];

test('reads every service', () => {
  expect(all).toEqual(expect.arrayContaining(['postgres', 'temporal', 'api', 'worker', 'doctor']));
  expect(all.length).toBeGreaterThan(10);
});

test('writes no file into a read-only container', () => {
  const readOnly = named((block) => block.includes('read_only: true'));
  expect(readOnly).toEqual(expect.arrayContaining(['temporal-ui-proxy', 'api', 'worker']));
  expect(readOnly.filter((name) => merged.get(name)?.includes('configs:'))).toEqual([]);
});

test('builds the image of all services in one of them', () => {
  expect(named((block) => /^ {4}build:/m.test(block))).toEqual(['migrate']);
  expect(template.get('x-gateway')).toContain('pull_policy: never');
});

test('names the image by project and version, so that a sandbox keeps Production’s', () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  expect(template.get('x-gateway')).toContain(
    `image: \${COMPOSE_PROJECT_NAME:-vendor-gateway}:${version}\n`,
  );
});

test('gives a sandbox a project of its own where .env names none', () => {
  expect(text).toContain(
    `\nname: vendor-gateway\${GATEWAY_ENVIRONMENT:+-\${GATEWAY_ENVIRONMENT:-}}\n`,
  );
});

test('leaves Postgres as it runs while an upgrade migrates', () => {
  const guide = readFileSync(new URL('../../docs/operating/upgrading.md', import.meta.url), 'utf8');
  expect(guide).toContain('\ndocker compose run --rm --no-deps migrate ');
});

test('starts no Node for a health check', () => {
  const checks = text.match(/^ +test:[^\n]*(?:\n {8,}\S[^\n]*)*/gm) ?? [];
  expect(checks.length).toBeGreaterThan(4);
  expect(checks.filter((check) => check.includes('node'))).toEqual([]);
});

test('limits the logs of each container', () => {
  expect(template.get('x-logging')).toContain('max-size:');
  expect(named((block) => block.includes('logging: *logging'))).toEqual(all);
});

/** The `stop_grace_period` of a service. */
const graceMsOf = (name: string): number =>
  Number(/stop_grace_period: \D*(\d+)s/.exec(merged.get(name) ?? '')?.[1]) * 1000;

test('gives processes time to drain and to end their activities', () => {
  // Calls in progress and activities have 20 seconds, and connections 5.
  expect(graceMsOf('api')).toBeGreaterThan(loadConfig({}).DRAIN_DELAY_MS + 25_000);
  expect(graceMsOf('worker')).toBeGreaterThan(25_000);
  expect(graceMsOf('postgres')).toBeGreaterThan(10_000);
});

test('lets the services of Temporal find each other at any address of their container', () => {
  expect(merged.get('temporal')).toContain('TEMPORAL_BROADCAST_ADDRESS: 127.0.0.1');
});

test('gives the doctor the keys and the owner, and does not start it by `up`', () => {
  const doctor = merged.get('doctor') ?? '';
  expect(doctor).toMatch(/profiles: \[doctor\][\s\S]+MIGRATION_DATABASE_URL/);
  expect(doctor).not.toMatch(/SECRETS_KEY: ''/);
});

test('starts the API only with a key ring, which a service checks once', () => {
  expect(merged.get('api')).toContain('keys: { condition: service_completed_successfully }');
  expect(merged.get('keys')).toMatch(/restart: 'no'[\s\S]+command: \[list\]/);
});

test('lets tini take the signals of every container of the image', () => {
  const image = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  expect(image).toContain('ENTRYPOINT ["tini", "--"]\nCMD ["node"');
  const entryPoints = all.flatMap(
    (name) => /entrypoint: \[(.*node.*)\]/.exec(merged.get(name) ?? '')?.[1] ?? [],
  );
  expect(entryPoints).toEqual([
    'tini, --, node, scripts/keys.ts',
    'tini, --, node, scripts/doctor.ts',
  ]);
});
