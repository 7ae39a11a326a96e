import { expect } from 'vitest';
import { auditOf, newParties, succeeded } from '../api/offers/offer-record.ts';
import { newOperator, newVariant } from '../api/support/actors.ts';
import { gatewayOver, textOf, unknownId, type Gateway } from '../api/support/api.ts';
import { TemporalTimeout } from '../../temporal/temporal-failures.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { signIn, submit } from './console-fixture.ts';
// Pages are clients of the API: a decision is made by its route (D139).

const test = gatewayTest
  .extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway))
  .extend('browser', { scope: 'file' }, async ({ gateway }) =>
    signIn(gateway, await newOperator(gateway, ['Reviewer'])),
  )
  .extend('offer', async ({ gateway, parties }) => {
    const { id: variant } = await newVariant(gateway);
    const body = { ...matched, rawProductName: 'Oud <b>50</b>' };
    return { id: textOf(succeeded(await parties.byVendor('POST', '', body)), 'id'), variant };
  });

const matched = {
  cost: 100,
  costIsVatInclusive: false,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
};

/** The hidden fields of the form that a page has for an action. */
function fieldsOf(page: string, action: string): Record<string, string> {
  const [, form = ''] = page.split(`/${action}"`);
  const inputs = (form.split('</form>')[0] ?? '').matchAll(
    /<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g,
  );
  return Object.fromEntries(
    Array.from(inputs, ([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ]),
  );
}

test('approves by the API, under the request id of the page, and opens the next offer', async ({
  gateway,
  browser,
  offer: { id, variant },
}) => {
  const url = `/console/offers/${id}`;
  const page = await gateway.app.inject({ url: `${url}?variant=${variant}`, headers: browser });
  expect(page.body).toContain('Oud &lt;b&gt;50&lt;/b&gt;');
  const fields = fieldsOf(page.body, 'approve');
  expect(fields).toMatchObject({ expectedVersion: '1', variant });
  const headers = { ...browser, 'x-request-id': 'page-17' };
  const answer = await submit(gateway, `${url}/approve`, fields, headers);
  expect(answer.statusCode).toBe(303);
  expect(answer.headers['location']).toMatch(
    new RegExp(`^/console/offers/next\\?done=approve&last=${id}$`),
  );
  expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({
    action: 'offer.approve',
    requestId: 'page-17',
  });
  const next = await gateway.app.inject({ url: String(answer.headers['location']), headers });
  expect(next.headers['location']).toMatch(/^\/console\/offers[/?]/);
});

test('a change meanwhile is 409, decides nothing and shows what changed', async ({
  gateway,
  parties,
  browser,
  offer: { id, variant },
}) => {
  const url = `/console/offers/${id}`;
  const page = await gateway.app.inject({ url: `${url}?variant=${variant}`, headers: browser });
  succeeded(
    await parties.byVendor('PATCH', `/${id}/cost`, { cost: 130, costIsVatInclusive: false }),
  );
  const answer = await submit(gateway, `${url}/approve`, fieldsOf(page.body, 'approve'), browser);
  expect(answer.statusCode).toBe(409);
  expect(answer.body).toContain('The offer has changed since you opened it.');
  expect(answer.body).toMatch(/<bdi>100\.00<\/bdi>[\s\S]*<bdi>130\.00<\/bdi>/);
  expect(fieldsOf(answer.body, 'approve')).toMatchObject({ expectedVersion: '2' });
});

test('a rejection without a reason is refused, and says so', async ({
  gateway,
  browser,
  offer: { id },
}) => {
  const fields = { expectedVersion: '1', reason: ' ' };
  const answer = await submit(gateway, `/console/offers/${id}/reject`, fields, browser);
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toMatch(/Reason [^<]+<\/bdi>/);
});

/** The same gateway, whose workflows answer too late; `decide` runs before. */
const lateGateway = ({ sql }: Gateway, decide: () => Promise<unknown>) => {
  const late = async () => {
    await decide();
    throw new TemporalTimeout();
  };
  return gatewayOver(sql, { decisions: { decideOffer: late, decideReturn: late } });
};

test('an answer that comes too late is 504: reads again, and says that nothing is decided', async ({
  gateway,
  browser,
  offer: { id, variant },
}) => {
  const late = await lateGateway(gateway, async () => undefined);
  const fields = { expectedVersion: '1', variant, reviewedAt: '' };
  const answer = await submit(late, `/console/offers/${id}/approve`, fields, browser);
  expect(answer.statusCode).toBe(504);
  expect(answer.body).toContain('the offer is not decided yet');
});

test('goes on if the answer comes too late but the offer is decided', async ({
  gateway,
  browser,
  offer: { id, variant },
}) => {
  const fields = { expectedVersion: '1', variant, reviewedAt: '' };
  const url = `/console/offers/${id}/approve`;
  const late = await lateGateway(gateway, () => submit(gateway, url, fields, browser));
  const answer = await submit(late, url, fields, browser);
  expect(answer.statusCode).toBe(303);
  expect(answer.headers['location']).toContain('done=approve');
});

test('shows a role only what it may do', async ({ gateway, browser }) => {
  const operations = await signIn(gateway, await newOperator(gateway, ['Operations']));
  const [one, other] = await Promise.all(
    [browser, operations].map((headers) => gateway.app.inject({ url: '/console', headers })),
  );
  expect(one?.body).toContain('href="/console/offers"');
  expect(one?.body).not.toContain('href="/console/returns');
  expect(other?.body).toContain('href="/console/returns');
  expect(other?.body).not.toContain('href="/console/offers');
  const url = `/console/offers/${unknownId()}`;
  const refused = await submit(gateway, `${url}/approve`, {}, operations);
  expect(refused.statusCode).toBe(403);
});

test('calls the API from the address of the browser', async ({ gateway }) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const form = (secret: string, remoteAddress: string) =>
    gateway.app.inject({
      method: 'POST',
      url: '/console/sign-in',
      remoteAddress,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: `operatorId=${operatorId}&operatorSecret=${secret}`,
    });
  for (let guess = 0; guess < 11; guess += 1) await form('x', '203.0.113.7');
  expect((await form(operatorSecret, '203.0.113.9')).statusCode).toBe(429);
  expect((await form(operatorSecret, '198.51.100.1')).statusCode).toBe(303);
});
