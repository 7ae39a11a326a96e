import { type Gateway } from '../../support/api.ts';
import { succeeded, type Cast } from '../../offers/offer-record.ts';

export const put = (cast: Cast, body: unknown, vendorId = cast.vendor.vendorId) =>
  cast.by('Admin', 'PATCH', `/vendors/${vendorId}/agreement`, body);

export const read = async (cast: Cast, id: string) =>
  succeeded(await cast.by('Reviewer', 'GET', `/offers/${id}`)).payload;

export const vendorRow = async (gateway: Gateway, { vendor }: Cast) =>
  (await gateway.sql`select * from vendors where id = ${vendor.vendorId}`)[0];

export const toPercentage = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };
