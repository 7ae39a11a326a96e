import { createVendorClient, VendorGatewayError } from 'vendor-gateway-client';

const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const vendor = createVendorClient({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

try {
  await vendor.offers.create({ cost: 100, costIsVatInclusive: false });
} catch (error) {
  if (!(error instanceof VendorGatewayError)) throw error;
  if (error.state === 'VALIDATION_ERRORS') {
    for (const { field, message } of error.details.errors) console.log(field, message);
  } else if (error.state === 'FORBIDDEN_CAPABILITY_NOT_GRANTED') {
    console.log('the credential lacks', error.details.requiredCapability);
  } else {
    console.log(error.state, error.status, error.requestId);
  }
}
