import { readFile, writeFile } from 'node:fs/promises';
import { createVendorClient } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', POSITION = 'events.txt' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

const after = Number(await readFile(POSITION, 'utf8').catch(() => '0'));

for await (const event of vendor.events.after(after)) {
  if (event.eventType === 'vendor.order.assigned') console.log('ship', event.data.groupId);
  else console.log(event.eventType);
  // After the event is handled: a program that stops here handles it again.
  await writeFile(POSITION, String(event.sequence));
}
