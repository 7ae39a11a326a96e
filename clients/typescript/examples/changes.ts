import { readFile, writeFile } from 'node:fs/promises';
import { createVendorClient } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', STATE = 'offers.json' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

type State = { position: string; statuses: Record<string, string> };
const first = '{"position":"1970-01-01T00:00:00Z","statuses":{}}';
const state = JSON.parse(await readFile(STATE, 'utf8').catch(() => first)) as State;

for await (const { items, position } of vendor.offers.changedSince(state.position).pages()) {
  for (const offer of items) state.statuses[offer.id] = offer.status;
  state.position = position;
  // The items and the position in one write: in a database, one transaction.
  await writeFile(STATE, JSON.stringify(state));
  console.log(`${items.length} changed`);
}
