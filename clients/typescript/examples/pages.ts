import { createVendorClient } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

for await (const offer of vendor.offers.list({ status: 'PendingMatch' })) {
  console.log(offer.vendorExternalId, offer.cost?.amount);
}

for await (const { pagination } of vendor.offers.list().pages()) {
  console.log(`page ${pagination.page} of ${pagination.totalPages}`);
}
