import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Sends the requests of a `.http` file, which take what they need from earlier responses. */

/** How long a request with `# @wait` is repeated until the response is as expected. */
const waitMs = 30_000;

type Values = Readonly<Record<string, string>>;

/** The value at a path such as `$.payload.items[0].id`. */
function valueAt(body: unknown, path: string): unknown {
  const keys = path.match(/\w+/g) ?? [];
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    body,
  );
}

/** Puts the values of `{{name}}` and `{{request.response.body.$.path}}` into a text. */
function fill(text: string, variables: Values, responses: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(/\{\{([^}]+)\}\}/g, (_all, inner: string) => {
    if (inner === '$guid') return randomUUID();
    const [, request, path] = /^(\w+)\.response\.body\.(\$.+)$/.exec(inner) ?? [];
    if (request !== undefined && path !== undefined)
      return String(valueAt(responses.get(request), path));
    const value = variables[inner];
    if (value === undefined) throw new Error(`no variable ${inner}`);
    return fill(value, variables, responses);
  });
}

/** One request of the file, with its variables replaced. */
function parse(request: string) {
  const [head = '', ...body] = request.split('\n\n');
  const lines = head.trim().split('\n').slice(1);
  const marks = lines.filter((line) => line.startsWith('# '));
  const [line = '', ...headers] = lines.filter((each) => !each.startsWith('# '));
  const [method = '', url = ''] = line.split(' ');
  return {
    name: marks.find((mark) => mark.startsWith('# @name '))?.slice('# @name '.length) ?? '',
    expected: marks.flatMap((mark) => /^# @expect (.+)$/.exec(mark)?.[1] ?? []),
    isRepeated: marks.includes('# @wait'),
    url,
    init: {
      method,
      headers: Object.fromEntries(headers.map((each) => each.split(': ') as [string, string])),
      body: body.join('\n\n').trim() || null,
    },
  };
}

/**
 * What is wrong with a response: `201` is its status, `$.payload.status "Pending"` a value of it.
 */
function objectionTo(expectation: string, status: number, body: unknown): string | null {
  const [, path, json = ''] = /^(\$\S+) (.+)$/.exec(expectation) ?? [];
  const actual = path === undefined ? status : valueAt(body, path);
  const wanted: unknown = JSON.parse(path === undefined ? expectation : json);
  if (isDeepStrictEqual(actual, wanted)) return null;
  return `expects ${expectation}, got ${JSON.stringify(actual)}`;
}

/** Sends one request, and again where the file says so; the response and what is wrong with it. */
async function send({ expected, isRepeated, url, init }: ReturnType<typeof parse>) {
  const until = Date.now() + (isRepeated ? waitMs : 0);
  for (;;) {
    const response = await fetch(url, init);
    const body: unknown = await response.json();
    const objections = expected.flatMap((each) => objectionTo(each, response.status, body) ?? []);
    if (objections.length === 0 || Date.now() > until) return { body, objections };
    await sleep(200);
  }
}

/**
 * Sends a whole file of `docs/http`, with these values for the variables at its head. All its
 * expectations must be met, and be more than a given number.
 */
export async function expectToPass(
  file: string,
  given: Values,
  expectationsMin: number,
): Promise<void> {
  const [head = '', ...requests] = readFileSync(`docs/http/${file}`, 'utf8').split(/^### /m);
  const own = Array.from(head.matchAll(/^@(\w+) = (.+)$/gm), ([, key = '', value = '']) => [
    key,
    value,
  ]);
  const variables = { ...(Object.fromEntries(own) as Values), ...given };
  const responses = new Map<string, unknown>();
  const failures: string[] = [];
  let expectations = 0;
  for (const text of requests) {
    const request = parse(fill(text, variables, responses));
    const { body, objections } = await send(request);
    responses.set(request.name, body);
    expectations += request.expected.length;
    if (request.expected.length === 0) objections.push('expects nothing');
    const shown = JSON.stringify(body).slice(0, 300);
    failures.push(...objections.map((each) => `${file}: ${request.name} ${each}: ${shown}`));
  }
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(expectationsMin);
}
