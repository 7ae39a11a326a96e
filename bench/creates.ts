import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { compare } from './harness/measures/compare.ts';
import { counter, cycle } from './harness/measures/cycle.ts';
import { connectionsMax, createHttpClient } from './harness/http-client.ts';
import { seedVendors, settingsText } from './harness/seed-vendors.ts';

/** Create-offer: one look, one statement; and what the message to the review adds to that. */
export const creates: Benchmark = {
  name: 'creates',
  title: 'Create-offer',
  run: async (context) => {
    const { sql, api, print } = context;
    const vendors = await seedVendors(context);
    const next = cycle(vendors);
    const variantId = await seedVariant(sql);
    const http = createHttpClient(api.url);
    const number = counter();
    const submit = (vendorExternalId: string, more: object = {}, { token } = next()) =>
      http.request('POST', '/api/v1/scent/offers', {
        body: {
          vendorExternalId,
          vendorSku: `SKU-${vendorExternalId}`,
          rawBrandName: 'Maison Dahab',
          rawProductName: 'Oud 50',
          cost: 100,
          costIsVatInclusive: true,
          declaredStockQuantity: 12,
          ...more,
        },
        token,
      });
    for (const vendor of vendors) await submit('there', {}, vendor);
    print(`Without a relay, over HTTP, ${settingsText()}`);
    print(
      await compare(context, connectionsMax, [
        { name: 'GET /health', work: () => http.request('GET', '/health') },
        { name: 'a new offer', work: () => submit(`new-${number()}`) },
        {
          name: 'a new offer with a match',
          work: () => submit(`matched-${number()}`, { variantId }),
        },
        {
          name: 'a new draft: no message',
          work: () => submit(`draft-${number()}`, { saveAsDraft: true }),
        },
        { name: 'one that is there already', work: () => submit('there') },
      ]),
    );
    await http.close();
  },
};
