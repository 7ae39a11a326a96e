import { expect } from 'vitest';
import { newOperator } from '../support/api/actors.ts';
import { newReturnFixture, photoUrl, succeeded } from '../api/returns/return-fixture.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { signIn, submit } from './console-fixture.ts';

const test = gatewayTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newReturnFixture(gateway))
  .extend('open', { scope: 'file' }, async ({ gateway }) => {
    const headers = await signIn(gateway, await newOperator(gateway, ['Operations']));
    return async (url: string) => (await gateway.app.inject({ url, headers })).body;
  });

test('says what silence decides and when, on the list and on the return', async ({
  fixture,
  open,
}) => {
  const id = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  const silence = /Silence decides:\s*<b>accepted: defect<\/b>,\s*<time datetime="[^"]+Z">/;
  const list = await open('/console/returns?status=UnderInspection');
  expect(list).toMatch(silence);
  expect(list).toMatch(/<span class="chip ">\d+ days? left/);
  const page = await open(`/console/returns/${id}`);
  expect(page).toMatch(silence);
  for (const key of ['1', '2', '3']) expect(page).toContain(`data-key="${key}"`);
});

test("counts down by the vendor's clock", async ({ gateway, open }) => {
  const fixture = await newReturnFixture(gateway);
  const id = await fixture.returnIn('UnderInspection');
  await gateway.sql`
    update vendors set clock_offset = '71:30:00' where id = ${fixture.vendor.vendorId}`;
  for (const page of ['/console/returns', `/console/returns/${id}`])
    expect(await open(page)).toMatch(/class="chip warn">\d+ minutes left/);
});

test('says that staff decide where silence does not, and opens evidence apart', async ({
  fixture,
  open,
}) => {
  const id = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  await succeeded(fixture.addEvidence(id));
  await succeeded(fixture.propose(id, 'AcceptedSound'));
  const page = await open(`/console/returns/${id}`);
  expect(page).toContain('Silence decides nothing: staff decide.');
  expect(page).toContain(`<a href="${photoUrl}" rel="noreferrer noopener" target="_blank">`);
  expect(page).not.toContain('<img');
});

test("says who decided, and counts the vendor's earlier returns", async ({
  gateway,
  fixture,
  open,
}) => {
  const id = await fixture.returnIn('InspectionAccepted');
  await gateway.sql`update return_requests set decided_by = null where id = ${id}`;
  expect(await open(`/console/returns/${id}`)).toMatch(/Decided by<\/dt>\s*<dd><bdi>by silence/);
  const next = await fixture.returnIn('Pending');
  expect(await open(`/console/returns/${next}`)).toMatch(
    /Earlier returns<\/dt>\s*<dd>[1-9]\d*<[\s\S]*by silence<\/dt>\s*<dd>1</,
  );
});

test('decides with a reason, and shows the return as it is then', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  const headers = await signIn(gateway, await newOperator(gateway, ['Operations']));
  const form = { outcome: 'Rejected', reason: 'Opened.' };
  const answer = await submit(gateway, `/console/returns/${id}/decide`, form, headers);
  expect(answer).toMatchObject({
    statusCode: 303,
    headers: { location: `/console/returns/${id}` },
  });
  const again = await submit(gateway, `/console/returns/${id}/decide`, form, headers);
  expect(again.statusCode).toBe(422);
  expect(again.body).toContain('The return has changed meanwhile; nothing was done.');
});
