import { expect } from 'vitest';
import { newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newReturnFixture } from '../api/returns/return-fixture.ts';
import { consoleTest, hiddenFieldsOf } from './console-fixture.ts';
// Notes of staff on the pages of an offer, a return and a vendor (D163).

const test = consoleTest.extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway));

test('stores a note once, keeps the position, and shows it beside the decision', async ({
  reviewer: { read, submit },
  parties,
}) => {
  const id = await submitOffer(parties);
  const page = `/console/offers/${id}?at=1&kind=Review`;
  const seen = hiddenFieldsOf(await read(page), '/note');
  expect(seen).toMatchObject({ at: '1', kind: 'Review' });
  const note = { ...seen, note: ' <b>Invoice</b>\r\non Thursday. ' };
  for (const _ of [1, 2])
    expect(await submit(`/console/offers/${id}/note`, note)).toMatchObject({
      statusCode: 303,
      headers: { location: expect.stringContaining(`/console/offers/${id}?kind=Review&at=1`) },
    });
  const shown = await read(page);
  const texts = Array.from(shown.matchAll(/class="note"><bdi>([^<]*)<\/bdi>/g), ([, text]) => text);
  expect(texts).toEqual(['&lt;b&gt;Invoice&lt;/b&gt;\non Thursday.']);
  expect(shown).toMatch(/<bdi>staff-member-[^<]+<\/bdi> · <time/);
});

test('shows the notes on a vendor beside those on its offers and returns', async ({
  gateway,
  admin: { read, submit },
  parties,
}) => {
  const fixture = await newReturnFixture(gateway, parties.vendor);
  const returnId = await fixture.returnIn('Pending');
  const { vendorId } = parties.vendor;
  const offerId = await submitOffer(parties);
  for (const text of ['1', '2', '3', '4', 'Newest'])
    await submit(`/console/vendors/${vendorId}/note`, { note: `Vendor ${text}` });
  await submit(`/console/returns/${returnId}/note`, { note: 'Return note' });
  for (const path of [`vendors/${vendorId}`, `offers/${offerId}`, `returns/${returnId}`]) {
    const page = await read(`/console/${path}`);
    // The others are folded.
    expect(page).toMatch(/Vendor Newest[^]*Vendor 4[^]*Vendor 3[^]*Earlier notes: 2[^]*Vendor 1/);
  }
  expect(await read(`/console/returns/${returnId}`)).toContain('Return note');
});

test('keeps a note that is refused, and says why', async ({ reviewer: { submit }, parties }) => {
  const id = await submitOffer(parties);
  const refused = await submit(`/console/offers/${id}/note`, { note: 'x'.repeat(2001) });
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('x'.repeat(2001));
  expect(refused.body).toMatch(/class="reason" open/);
});
