import { expect, vi } from 'vitest';
import { newOperator, type TestOperator } from '../../support/api/actors.ts';
import { unknownId, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { hiddenFieldsOf, ownPage, shows, signIn, submit } from '../console-fixture.ts';
// Forms that were sent after their session had ended (D171).

const url = '/console/sign-in';
const path = `/console/offers/${unknownId()}/reject`;
const fields = { expectedVersion: '1', reason: 'The "size" <is> missing.' };
const kindText = 'Your form is kept';
const lost = 'The form that was sent is not kept';

/** Signs in with the form that the page keeps; `headers` have the cookie of the earlier session. */
const sendKept = (
  gateway: Gateway,
  { operatorId, operatorSecret }: TestOperator,
  kept: string,
  { secret = operatorSecret, headers = ownPage } = {},
) => submit(gateway, url, { operatorId, operatorSecret: secret, kept }, headers);

const test = gatewayTest
  .extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']))
  /** Sends a form in a session that has been idle too long; returns what the sign-in keeps. */
  .extend(
    'keep',
    ({ gateway, operator }) =>
      async (form: Record<string, string> = fields, to = path) => {
        const headers = await signIn(gateway, operator);
        await gateway.sql`
      update operator_sessions set used_at = used_at - interval '1 hour'
      where operator_id = ${operator.id}`;
        const asked = await submit(gateway, to, form, headers);
        expect(asked).toMatchObject(shows(401, kindText));
        return hiddenFieldsOf(asked.body, '/sign-in')['kept'] ?? '';
      },
  );

test('offers a form again after a new sign-in when its session had ended', async ({
  gateway,
  operator,
  keep,
}) => {
  const kept = await keep();
  expect(kept).toMatch(/^[\w-]+$/);
  // A wrong secret loses nothing either.
  const wrong = await sendKept(gateway, operator, kept, { secret: 'x' });
  expect(wrong).toMatchObject(shows(401, kindText));
  expect(hiddenFieldsOf(wrong.body, '/sign-in')).toMatchObject({ kept });
  const response = await sendKept(gateway, operator, kept);
  expect(response.statusCode).toBe(200);
  expect(response.cookies).toHaveLength(1);
  expect(response.body).toContain(`<form method="post" action="${path}"`);
  expect(hiddenFieldsOf(response.body, path)).toEqual(fields);
});

test('shows each field of a kept form, and focuses nothing', async ({
  gateway,
  operator,
  keep,
}) => {
  const { body } = await sendKept(gateway, operator, await keep({ ...fields, variant: 'A-1' }));
  expect(body).toMatch(/<b>Reject<\/b>/);
  expect(body).toMatch(/variant<\/bdi><\/dt>\s*<dd><bdi>A-1</);
  expect(body).toMatch(/expectedVersion<\/bdi><\/dt>\s*<dd><bdi>1</);
  expect(body).toContain('<bdi>The &quot;size&quot; &lt;is&gt; missing.</bdi>');
  expect(body).not.toMatch(/autofocus|data-key/);
});

test('shows the facts that a kept form was made with by their labels', async ({
  gateway,
  operator,
  keep,
}) => {
  const seen = JSON.stringify({ brand: 'Maison <Dahab>', size: '50 ml', other: 'x' });
  const { body } = await sendKept(gateway, operator, await keep({ ...fields, seen }));
  expect(body).toMatch(/<dt>Brand<\/dt>\s*<dd><bdi>Maison &lt;Dahab&gt;</);
  expect(body).toMatch(/<dt>Size<\/dt>\s*<dd><bdi>50 ml</);
  expect(body).not.toMatch(/<bdi>(?:seen|x|{)/);
});

test('keeps each value of a form of 400 KB', async ({ gateway, operator, keep }) => {
  const items = Array.from({ length: 10_000 }, unknownId).join('_');
  const many = '/console/offers/many';
  const kept = await keep({ items }, many);
  const headers = await signIn(gateway, operator);
  const { body } = await sendKept(gateway, operator, kept, { headers });
  expect(hiddenFieldsOf(body, many)).toMatchObject({ items });
});

test('shows no form that an address has', async ({ gateway, operator, keep }) => {
  const kept = [JSON.stringify({ path, fields }), await keep()];
  for (const each of kept) {
    const address = `${url}?kept=${encodeURIComponent(each)}&operatorId=planted`;
    const { body } = await gateway.app.inject({ url: address });
    expect(body).not.toMatch(/kept|planted|reason/);
    const { operatorId, operatorSecret } = operator;
    const sent = await submit(gateway, address, { operatorId, operatorSecret });
    expect(sent.statusCode).toBe(303);
  }
});

const changed = (kept: string): string => (kept.startsWith('A') ? 'B' : 'A') + kept.slice(1);

test('ignores a form that the gateway has not made, and says so', async ({
  gateway,
  operator,
  keep,
}) => {
  const sealed = await keep();
  const cut = sealed.slice(0, -3);
  for (const kept of [JSON.stringify({ path, fields }), changed(sealed), cut, '{}', 'x']) {
    const wrong = await sendKept(gateway, operator, kept, { secret: 'x' });
    expect(wrong).toMatchObject(shows(401, lost));
    const response = await sendKept(gateway, operator, kept);
    expect(response).toMatchObject(shows(200, lost));
    expect(response.cookies).toHaveLength(1);
    expect(response.body).not.toContain('<form');
  }
});

test('shows a kept form to its operator only, for 30 minutes', async ({
  gateway,
  operator,
  keep,
}) => {
  const kept = await keep();
  const other = await newOperator(gateway, ['Admin']);
  const response = await sendKept(gateway, other, kept);
  expect(response).toMatchObject(shows(200, lost));
  expect(response.body).not.toContain('<form');
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 29 * 60_000);
  expect((await sendKept(gateway, operator, kept)).body).toContain(path);
  clock.mockReturnValue(now + 30 * 60_000 + 1);
  const late = await sendKept(gateway, operator, kept);
  clock.mockRestore();
  expect(late).toMatchObject(shows(200, lost));
});

test('keeps no form from another site', async ({ gateway }) => {
  const response = await submit(gateway, path, fields, {
    ...ownPage,
    'sec-fetch-site': 'cross-site',
  });
  expect(response.statusCode).toBe(403);
  expect(response.body).not.toContain('kept');
});
