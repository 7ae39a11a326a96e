import { readFile } from 'node:fs/promises';
import { createVendorClient } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', FILE = 'offers.csv' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

// The bytes: as text, those that are not UTF-8 would be replaced.
const csv = await readFile(FILE);
const { id } = await vendor.jobs.create(
  { kind: 'createOffers', csv },
  { idempotencyKey: crypto.randomUUID() },
);
const job = await vendor.jobs.wait(id, {
  onProgress: ({ counts, estimatedEndAt }) => console.error(counts.remaining, estimatedEndAt),
});
console.log(`${job.counts.done} done, ${job.counts.failed} failed`);
for await (const { index, state, details } of vendor.jobs.results(id, { failed: true })) {
  console.log(index, state, JSON.stringify(details));
}
