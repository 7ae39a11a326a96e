import { expect, test as base } from 'vitest';
import { createSecurityEvents } from '../../../api/security/security-events.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { craftToken, goodClaims } from '../auth/craft-token.ts';
import { newOperator, newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, unknownId } from '../../support/api/api.ts';
import { hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
// The security log: an event for what is refused and changed, nothing secret, and no flood.

type Line = Readonly<Record<string, unknown>>;

/** Gives a file the lines that the gateway logs while a call of `linesOf` runs. */
const test = gatewayTest.extend(
  'linesOf',
  { scope: 'file' },
  ({ gateway: { app } }) =>
    async (act: () => Promise<unknown>): Promise<readonly Line[]> => {
      const lines: Line[] = [];
      const { securityEvents } = app;
      app.securityEvents = createSecurityEvents({
        info: (line: unknown) => lines.push(line as Line),
      });
      try {
        await act();
      } finally {
        app.securityEvents = securityEvents;
      }
      return lines;
    },
);

test('logs the log-ins of both sides, with names that exist only', async ({ gateway, linesOf }) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const lines = await linesOf(async () => {
    for (const [side, body] of [
      ['api', { clientId, clientSecret }],
      ['api', { clientId, clientSecret: 'wrong-vendor-secret' }],
      ['api', { clientId: clientSecret, clientSecret }],
      ['operator', { operatorId, operatorSecret }],
      ['operator', { operatorId, operatorSecret: 'wrong-operator-secret' }],
      ['operator', { operatorId: operatorSecret, operatorSecret }],
    ] as const)
      await call(gateway, 'POST', `/${side}/v1/auth/token`, { body });
  });
  const network = '127.0.0.0/24';
  expect(lines).toMatchObject([
    { event: 'security.login_succeeded', side: 'vendor', clientId, network },
    { event: 'security.login_failed', side: 'vendor', clientId, network },
    { event: 'security.login_failed', side: 'vendor', network },
    { event: 'security.login_succeeded', side: 'operator', operatorId, network },
    { event: 'security.login_failed', side: 'operator', operatorId, network },
    { event: 'security.login_failed', side: 'operator', network },
  ]);
  const text = JSON.stringify(lines);
  for (const secret of [clientSecret, operatorSecret, 'wrong-', '127.0.0.1'])
    expect(text).not.toContain(secret);
});

test('logs a refused token with its reason, without the token', async ({ gateway, linesOf }) => {
  const operator = await newOperator(gateway, ['Reviewer']);
  await gateway.sql`update operators set is_active = false where id = ${operator.id}`;
  const tokens: readonly (readonly [string, string | undefined])[] = [
    ['missing', undefined],
    ['unknown_key', 'abc'],
    ['expired', craftToken(goodClaims({ iat: -900, exp: -600 }))],
    ['audience', craftToken({ ...goodClaims(), aud: 'other-api' })],
    ['signature', `${craftToken().slice(0, -8)}AAAAAAAA`],
    ['claims', craftToken({ ...goodClaims(), capabilities: ['Root'] })],
    ['operator_revoked', operator.token],
  ];
  const lines = await linesOf(async () => {
    for (const [, token] of tokens) await call(gateway, 'GET', '/api/v1/webhooks', { token });
  });
  expect(lines.map(({ event, reason }) => [event, reason])).toEqual(
    tokens.map(([reason]) => ['security.token_refused', reason]),
  );
  const text = JSON.stringify(lines);
  for (const [, token] of tokens.slice(2)) expect(text).not.toContain((token ?? '').split('.')[2]);
});

test('logs missing capability, role and resource with the caller', async ({ gateway, linesOf }) => {
  const vendor = await newVendor(gateway);
  const reviewer = await newOperator(gateway, ['Reviewer']);
  const { vendorId, credentialId } = vendor;
  const lines = await linesOf(async () => {
    const stock = tokenWith(gateway, vendor, ['Stock']);
    await call(gateway, 'GET', '/api/v1/webhooks', { token: stock });
    await call(gateway, 'GET', '/operator/v1/operators', { token: reviewer.token });
    await call(gateway, 'GET', `/api/v1/webhooks/${unknownId()}`, { token: vendor.token });
  });
  expect(lines).toMatchObject([
    { event: 'security.capability_refused', vendorId, credentialId, requiredCapability: 'Orders' },
    { event: 'security.access_refused', operatorId: reviewer.operatorId, requiredRole: 'Admin' },
    { event: 'security.resource_refused', vendorId, code: 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION' },
  ]);
});

test('logs and audits each change of a subscription without the path of its URL', async ({
  gateway,
  operate,
  linesOf,
}) => {
  const { send, subscribe, vendor } = await newWebhookFixture(gateway);
  let id = '';
  const url = 'https://vendor.example.org/secret-path?key=secret-key';
  const lines = await linesOf(async () => {
    id = await subscribe(['vendor.order.assigned']);
    await send('PUT', `/${id}`, { url });
    expect(textOf(await send('POST', `/${id}/rotate-secret`), 'secret')).not.toBe('');
    for (const isActive of [false, false]) await send('PATCH', `/${id}/active`, { isActive });
    // What is refused changes nothing.
    for (const status of [200, 404]) expect((await send('DELETE', `/${id}`)).status).toBe(status);
  });
  const actions = ['create', 'update', 'rotate-secret', 'active', 'delete'].map((action) => ({
    action: `subscription.${action}`,
    subjectId: id,
  }));
  expect(lines.filter(({ event }) => event === 'security.change')).toMatchObject(actions);
  const audit = await operate('GET', `/audit?subjectId=${id}`);
  const entries = itemsOf(audit).toReversed();
  expect(entries).toMatchObject(actions);
  const { origin: urlOrigin } = new URL(hookUrl);
  expect(entries[1]).toMatchObject({
    credentialId: vendor.credentialId,
    before: { urlOrigin },
    after: { urlOrigin, url: 'changed' },
  });
  expect(entries[1]?.['after']).not.toHaveProperty('headers');
  expect(audit.text + JSON.stringify(lines)).not.toContain('secret-');
});

base('bounds the lines of one subject and of many, and counts the others', () => {
  const lines: Line[] = [];
  const events = createSecurityEvents(
    { info: (line: unknown) => lines.push(line as Line) },
    { subjectLinesMax: 3, eventLinesMax: 20, subjectsMax: 5 },
  );
  for (let time = 0; time < 100; time += 1) events.record('login_failed', 'one', {});
  expect(lines).toHaveLength(3);
  for (let subject = 0; subject < 100; subject += 1)
    events.record('login_failed', `subject ${subject}`, {});
  // Four more subjects have a line each, and the others share one count.
  expect(lines).toHaveLength(3 + 4 + 3);
  events.endMinute();
  const [suppressed, totals] = lines.slice(-2);
  expect(suppressed).toMatchObject({
    event: 'security.suppressed',
    of: 'security.login_failed',
    suppressed: 190,
  });
  expect(totals).toMatchObject({ event: 'security.totals', login_failed: 200, change: 0 });
  events.endMinute();
  expect(lines).toHaveLength(12);
  events.record('login_failed', 'one', {});
  expect(lines).toHaveLength(13);
});
