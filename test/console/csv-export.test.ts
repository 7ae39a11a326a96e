import { expect } from 'vitest';
import { newVariant } from '../support/api/actors.ts';
import { newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newRecord } from './every-page.ts';
import { consoleTest } from './console-fixture.ts';

const test = consoleTest.extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway));

const linesOf = (body: string): readonly string[] => body.split('\r\n').slice(0, -1);

test('exports all pages of a list as filtered, each row once', async ({
  gateway,
  reviewer: { open },
}) => {
  for (let count = 0; count < 120; count += 1)
    await newVariant(gateway, { brandName: 'Exported', sku: `exported-${count}` });
  await newVariant(gateway, { brandName: 'Other' });
  const page = (await open('/console/catalogue?q=exported&page=2')).body;
  const [, href = ''] = /href="([^"]*csv=true)"/.exec(page) ?? [];
  expect(href).toBe('/console/catalogue?q=exported&amp;csv=true');
  const { statusCode, headers, body } = await open(href.replaceAll('&amp;', '&'));
  expect({ statusCode, headers }).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="variants.csv"',
    },
  });
  const [header, ...rows] = linesOf(body);
  expect(header).toBe('\ufeffid,sku,brandName,productName,concentration,sizeMl,barcode,isActive');
  expect(new Set(rows.map((row) => row.split(',')[1])).size).toBe(120);
  expect(rows).toHaveLength(120);
  expect(body).not.toContain('Other');
});

test('writes no cell that a spreadsheet takes for a formula', async ({
  reviewer: { open },
  parties,
}) => {
  for (const begin of ['=', '+', '-', '@', '\t', '＝', '＋'])
    await submitOffer(parties, {
      variantId: null,
      rawBrandName: 'Formula',
      rawProductName: `${begin}HYPERLINK("x","y")`,
    });
  const { body } = await open('/console/offers?brand=Formula&csv=true');
  const cells = body.match(/"?[^,"]?[=+@\t＝＋-]HYPERLINK/g) ?? [];
  expect(cells).toHaveLength(7);
  for (const cell of cells) expect(cell).toMatch(/^"'.HYPERLINK$/);
});

test('exports every list, and shows why a filter is refused', async ({
  gateway,
  admin: { open },
}) => {
  const { subscription, jobId, variantId, vendorId } = await newRecord(gateway, 'Text');
  const lists = 'offers all-offers returns orders vendors catalogue webhooks audit operators';
  const ofSubjects = [`review-jobs/${jobId}`, `catalogue/${variantId}`, `vendors/${vendorId}`];
  const more = ['review-jobs', `webhooks/deliveries?${subscription}`, ...ofSubjects];
  for (const path of [...lists.split(' '), ...more]) {
    const url = `/console/${path}${path.includes('?') ? '&' : '?'}`;
    expect((await open(url)).body, path).toContain('csv=true');
    const { body, headers } = await open(`${url}csv=true`);
    expect(headers['content-type'], path).toBe('text/csv; charset=utf-8');
    const [header = '', ...rows] = linesOf(body);
    expect(rows.length, path).toBeGreaterThan(0);
    expect(header.split(',').length, path).toBeGreaterThan(2);
    // Every column is a field of the API.
    expect(rows[0], path).not.toContain('undefined');
  }
  const refused = await open('/console/audit?subjectId=nothing&csv=true');
  expect(refused.statusCode).toBe(400);
  expect(refused.headers['content-type']).toContain('text/html');
});
