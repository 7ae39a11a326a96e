import { createVendorClient } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

const offer = await vendor.offers.create({
  vendorExternalId: 'oud-50',
  rawBrandName: 'Maison Dahab',
  rawProductName: 'Oud 50 ml',
  cost: 1234567.89,
  costIsVatInclusive: false,
});
console.log(offer.status, offer.cost);
