import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { consoleTest, ownPage, signIn } from '../../console/console-fixture.ts';
// The largest forms (D170).

const kibibyte = 1024;
const many = '/console/offers/many';

const test = consoleTest.extend(
  'send',
  ({ gateway }) =>
    async (payload: string, headers: Readonly<Record<string, string>>, url = many) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const all = { ...type, ...ownPage, ...headers };
      const sent = { method: 'POST', url, payload, headers: all } as const;
      const { statusCode, body } = await gateway.app.inject(sent);
      return { status: statusCode, bytes: Buffer.byteLength(body) };
    },
);

const formOf = (bytes: number): string => `items=${'%22'.repeat(bytes)}`.slice(0, bytes);
const namesOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `n${index}=1`).join('&');

test.for([[many], ['/console/sign-in'], ['/console/language']])(
  'refuses a form for %s above 4 KiB without a session, and answers little',
  async ([url], { send }) => {
    for (const headers of [{}, { cookie: 'console=cs_x' }]) {
      const taken = await send(formOf(4 * kibibyte), headers, url);
      expect(taken.status).not.toBe(413);
      expect(taken.bytes).toBeLessThan(40 * kibibyte);
      expect((await send(formOf(4 * kibibyte + 1), headers, url)).status).toBe(413);
      expect((await send(namesOf(122_000), headers, url)).status).toBe(413);
    }
  },
);

test('takes a form of up to 512 KiB and 300 names in a session', async ({ send, reviewer }) => {
  const { headers } = reviewer;
  for (const form of [formOf(512 * kibibyte), namesOf(300), 'offer=1&'.repeat(299)])
    expect((await send(form, headers)).status).not.toBe(413);
  for (const form of [formOf(512 * kibibyte + 1), namesOf(301), 'offer=1&'.repeat(300)])
    expect((await send(form, headers)).status).toBe(413);
});

test('takes a large form of a session that has ended, so that it can be kept', async ({
  gateway,
  send,
}) => {
  const operator = await newOperator(gateway, ['Reviewer']);
  const headers = await signIn(gateway, operator);
  await gateway.sql`
    update operator_sessions set used_at = used_at - interval '1 hour'
    where operator_id = ${operator.id}`;
  expect((await send(formOf(100 * kibibyte), headers)).status).toBe(401);
});
