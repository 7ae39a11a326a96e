import { expect } from 'vitest';
import { newReturnFixture, photoUrl, succeeded } from '../api/returns/return-fixture.ts';
import { unknownId } from '../support/api/api.ts';
import { consoleTest, hiddenFieldsOf, shows, submitLate } from './console-fixture.ts';

const test = consoleTest
  .extend('fixture', { scope: 'file' }, ({ gateway }) => newReturnFixture(gateway))
  .extend('open', ({ operations }) => operations.read)
  .extend('id', ({ fixture }) =>
    fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] }),
  );

test('says what silence decides and when, on the list and on the return', async ({ open, id }) => {
  const silence = /Silence decides:\s*<b>accepted: defect<\/b> ·\s*<time datetime="[^"]+Z">/;
  const list = await open('/console/returns?status=UnderInspection');
  expect(list).toMatch(silence);
  expect(list).toMatch(/<span class="chip ">\d+ days? left/);
  const page = await open(`/console/returns/${id}`);
  expect(page).toMatch(/<div class="figure deadline ">\d+ days? left<\/div>/);
  expect(page).toMatch(/Silence decides:\s*<b>accepted: defect<\/b>/);
  for (const key of ['1', '2', '3']) expect(page).toContain(`data-key="${key}"`);
});

test("counts down by the vendor's clock", async ({ gateway, open }) => {
  const fixture = await newReturnFixture(gateway);
  const id = await fixture.returnIn('UnderInspection');
  await gateway.sql`
    update vendors set clock_offset = '71:30:00' where id = ${fixture.vendor.vendorId}`;
  for (const page of ['/console/returns', `/console/returns/${id}`])
    expect(await open(page)).toMatch(/class="(?:chip|figure deadline) warn">\d+ minutes left/);
});

test('says that staff decide where silence does not, and opens evidence in a new tab', async ({
  fixture,
  open,
  id,
}) => {
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

test('decides with a reason, and shows in a late response who has decided what, if at all', async ({
  gateway,
  operations: { headers, submit },
  open,
  id,
}) => {
  const location = `/console/returns/${id}`;
  const seen = hiddenFieldsOf(await open(location), '/decide');
  const form = { ...seen, outcome: 'Rejected', reason: 'Opened.', confirmed: 'true' };
  const decide = () => submit(`${location}/decide`, form);
  const sendLate = (first?: () => Promise<unknown>) =>
    submitLate(gateway, `${location}/decide`, form, headers, first);
  expect(await sendLate()).toMatchObject(shows(504, 'Not confirmed in time, and not done yet.'));
  const decided = await sendLate(async () =>
    expect(await decide()).toMatchObject({
      statusCode: 303,
      headers: { location: `${location}?done=InspectionRejected&decided=true` },
    }),
  );
  const note = /now: <b>Refused<\/b>\s+· Decided by <bdi>staff-member-[^<]+<\/bdi>:\s+refused/;
  expect(decided).toMatchObject(shows(504, note));
});

test('shows who comes second what was decided by whom, and leads to the next return (D161)', async ({
  operations: { submit, open: request },
  fixture,
  open,
  id,
}) => {
  const location = `/console/returns/${id}`;
  const seen = hiddenFieldsOf(await open(location), '/decide');
  const next = await fixture.returnIn('UnderInspection');
  await succeeded(fixture.addEvidence(next));
  await succeeded(fixture.propose(next, 'Rejected'));
  const decide = () =>
    submit(`${location}/decide`, { ...seen, outcome: 'Rejected', confirmed: 'true' });
  // The vendor's evidence decides nothing.
  await succeeded(fixture.addEvidence(id));
  expect(await decide()).toMatchObject(shows(409, 'nothing was done. This is its present state.'));
  await succeeded(fixture.decide(id, 'AcceptedSound'));
  const second = await decide();
  expect(second.statusCode).toBe(303);
  const led = await request(String(second.headers.location));
  const to = String(led.headers.location);
  expect(to).toMatch(new RegExp(`^/console/returns/[\\w-]+\\?overtaken=${id}$`));
  expect(to).not.toContain(`/${id}?`);
  expect(await open(to)).toMatch(
    /decided before you[^]*<b>Accepted<\/b>[^]*Decided by <bdi>staff-member[^]*accepted: sound · <time/,
  );
});

test('says to staff whose decision was sent twice that it is made', async ({
  operations: { submit, open: request },
  open,
  id,
}) => {
  const location = `/console/returns/${id}`;
  const seen = hiddenFieldsOf(await open(location), '/decide');
  const decide = () =>
    submit(`${location}/decide`, { ...seen, outcome: 'Rejected', confirmed: 'true' });
  expect((await decide()).headers['location']).toContain('?done=InspectionRejected');
  const led = await request(String((await decide()).headers['location']));
  const shown = await open(String(led.headers['location']));
  expect(shown).toMatch(/notice good"[^>]*>You have decided already[^]*<b>Refused<\/b>/);
});

test('says to staff whose move was sent twice that it is done', async ({ fixture, operations }) => {
  const location = `/console/returns/${await fixture.returnIn('Pending')}`;
  const move = (name: string) =>
    operations.submit(`${location}/${name}`, { status: 'Pending', reason: '' });
  const done = { statusCode: 303, headers: { location: `${location}?done=Approved` } };
  for (const _click of [1, 2]) expect(await move('approve')).toMatchObject(done);
  expect(await move('reject')).toMatchObject(shows(422, 'nothing was done.'));
});

test('says before an outcome is sent who pays, and takes it only once it is confirmed', async ({
  operations: { submit },
  fixture,
  open,
}) => {
  const id = await fixture.returnIn('UnderInspection');
  const path = `/console/returns/${id}`;
  const page = await open(path);
  for (const meaning of [
    'A defect. The customer is refunded, and the vendor pays for it.',
    'Sound goods: no fault of the vendor. The customer is refunded.',
    'The customer gets no refund, and the vendor pays nothing.',
  ])
    expect(page).toContain(meaning);
  expect(page.match(/name="confirmed" value="true" required/g)).toHaveLength(3);
  const form = { ...hiddenFieldsOf(page, '/decide'), outcome: 'AcceptedSound', reason: 'Sealed.' };
  const unconfirmed = await submit(`${path}/decide`, form);
  expect(unconfirmed).toMatchObject(shows(400, 'Nothing is decided: tick the box to confirm.'));
  expect(unconfirmed.body).toMatch(/class="reason" open>[^]*Accept: sound[^]*>Sealed\.</);
  const decided = await submit(`${path}/decide`, { ...form, confirmed: 'true' });
  expect(await open(String(decided.headers.location))).toMatch(
    /Done:\s+<b>Accepted<\/b>[^]*accepted: sound[^]*Sound goods: no fault of the vendor/,
  );
});

test('leads by n to each return that staff must decide, by its deadline', async ({
  gateway,
  operations,
  fixture,
}) => {
  await gateway.sql`
    update return_requests set proposed_outcome = null, requires_staff_review = false`;
  const proposed = async (outcome: 'AcceptedSound' | 'Rejected') => {
    const id = await fixture.returnIn('UnderInspection');
    await succeeded(fixture.addEvidence(id));
    await succeeded(fixture.propose(id, outcome));
    return id;
  };
  const ids = [
    await proposed('Rejected'),
    await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' }),
    await proposed('AcceptedSound'),
  ];
  // The later ones end first.
  for (const [index, id] of ids.entries())
    await gateway.sql`
      update return_requests set inspection_deadline = now() + ${9 - index} * interval '1 hour'
      where id = ${id}`;
  const nextOf = async (path: string) => {
    const [, next = ''] = /data-key="n"\s+href="([^"]+)"/.exec(await operations.read(path)) ?? [];
    return String((await operations.open(next)).headers.location);
  };
  const pages = ids.map((id) => `/console/returns/${id}`);
  const [last = '', middle = '', first = ''] = pages;
  const pending = `/console/returns/${await fixture.returnIn('Pending')}`;
  expect(await nextOf(pending)).toBe(first);
  expect(await nextOf(first)).toBe(middle);
  expect(await nextOf(middle)).toBe(last);
  expect(await nextOf(last)).toBe(first);
});

test('leads to the return whose id is typed in the search', async ({ fixture, operations }) => {
  const id = await fixture.returnIn('Pending');
  const search = async (number: string) =>
    (await operations.open(`/console/returns?${String(new URLSearchParams({ number }))}`)).headers[
      'location'
    ];
  for (const typed of [id, ` ${id.toUpperCase()}\u200f`])
    expect(await search(typed)).toBe(`/console/returns/${id}`);
  for (const other of [unknownId(), `ord_${id}`]) expect(await search(other)).toBeUndefined();
});
