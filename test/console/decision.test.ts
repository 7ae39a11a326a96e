import { expect } from 'vitest';
import { auditOf, newParties, succeeded } from '../api/offers/offer-record.ts';
import { newOperator, newVariant } from '../support/api/actors.ts';
import { gatewayOver, textOf, unknownId, type Gateway } from '../support/api/api.ts';
import { TemporalTimeout } from '../../temporal/temporal-failures.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { hiddenFieldsOf, signIn, submit } from './console-fixture.ts';
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

test('approves by the API, under the request id of the page, and opens the next offer', async ({
  gateway,
  browser,
  offer: { id, variant },
}) => {
  const url = `/console/offers/${id}`;
  const page = await gateway.app.inject({ url: `${url}?variant=${variant}`, headers: browser });
  expect(page.body).toContain('Oud &lt;b&gt;50&lt;/b&gt;');
  const fields = hiddenFieldsOf(page.body, '/approve');
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
  const answer = await submit(
    gateway,
    `${url}/approve`,
    hiddenFieldsOf(page.body, '/approve'),
    browser,
  );
  expect(answer.statusCode).toBe(409);
  expect(answer.body).toContain('The offer has changed since you opened it.');
  expect(answer.body).toMatch(/<bdi>100\.00<\/bdi>[\s\S]*<bdi>130\.00<\/bdi>/);
  expect(hiddenFieldsOf(answer.body, '/approve')).toMatchObject({ expectedVersion: '2' });
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

test('shows what the API knows: warnings, prices with margin, and the vendor', async ({
  gateway,
  browser,
  offer: { id },
}) => {
  const { body } = await gateway.app.inject({ url: `/console/offers/${id}`, headers: browser });
  expect(body).toMatch(/class="chip warn">\s*No barcode/);
  expect(body).toMatch(/<b><bdi>100\.00<\/bdi><\/b>\s*<span class="muted">without VAT/);
  expect(body).toMatch(/<bdi>120\.00<\/bdi>[\s\S]*<bdi>20\.00<\/bdi>[\s\S]*<bdi>16\.7%<\/bdi>/);
  expect(body).toMatch(/in 90 days \d+ approved, \d+ rejected/);
});

test('marks what the vendor has edited since the approval, beside what was approved', async ({
  gateway,
  parties,
  browser,
  offer: { id, variant },
}) => {
  const url = `/console/offers/${id}`;
  await submit(gateway, `${url}/approve`, { expectedVersion: '1', variant }, browser);
  const edit = { rawProductName: 'Oud Intense', vendorSku: 'NEW-1', barcode: '6291041500213' };
  succeeded(await parties.byVendor('PATCH', `/${id}`, edit));
  const { body } = await gateway.app.inject({ url, headers: browser });
  expect(body).toContain('Identity edit');
  expect(body).toMatch(
    /Product<\/th>\s*<td class="">\s*<bdi>Oud &lt;b&gt;50&lt;\/b&gt;<\/bdi><\/td>\s*<td class="changed ">\s*<bdi>Oud Intense/,
  );
  expect(body).toMatch(/Approved ·\s*<bdi>[^<]+<\/bdi>/);
});

test('names an offer without texts of its own by its variant', async ({
  gateway,
  parties,
  browser,
}) => {
  const { id: variantId } = await newVariant(gateway, { productName: 'Amber Nights' });
  const offer = { variantId, cost: 100, costIsVatInclusive: false };
  const id = textOf(succeeded(await parties.byVendor('POST', '', offer)), 'id');
  const { body } = await gateway.app.inject({ url: `/console/offers/${id}`, headers: browser });
  expect(body).toMatch(/<h1><bdi>[^<]*Amber Nights/);
});

test('offers the reasons of earlier rejections; a written text wins over a chosen one', async ({
  gateway,
  parties,
  browser,
  offer: { id },
}) => {
  const url = `/console/offers/${id}`;
  const reject = (reasons: Record<string, string>) =>
    submit(gateway, `${url}/reject`, { expectedVersion: '1', ...reasons }, browser);
  const answer = await reject({ recent: 'Chosen "reason".', reason: '' });
  expect(answer.statusCode).toBe(303);
  const body = { ...matched, rawProductName: 'Other' };
  const other = textOf(succeeded(await parties.byVendor('POST', '', body)), 'id');
  const page = await gateway.app.inject({ url: `/console/offers/${other}`, headers: browser });
  expect(page.body).toMatch(/type="radio" name="recent" value="Chosen &quot;reason&quot;\."/);
  const form = { expectedVersion: '1', recent: 'Chosen.', reason: 'Written.' };
  await submit(gateway, `/console/offers/${other}/reject`, form, browser);
  expect((await auditOf(gateway.sql, other)).at(-1)).toMatchObject({
    after: { reason: 'Written.' },
  });
});

test('returns an approved offer to review with a reason', async ({
  gateway,
  browser,
  offer: { id, variant },
}) => {
  const url = `/console/offers/${id}`;
  await submit(gateway, `${url}/approve`, { expectedVersion: '1', variant }, browser);
  const page = await gateway.app.inject({ url, headers: browser });
  const fields = hiddenFieldsOf(page.body, '/return-to-review');
  const form = { ...fields, reason: 'The match is wrong.' };
  const answer = await submit(gateway, `${url}/return-to-review`, form, browser);
  expect(answer.headers['location']).toContain('done=return-to-review');
  expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({
    action: 'offer.returnToReview',
    after: { status: 'PendingReview', reason: 'The match is wrong.' },
  });
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
