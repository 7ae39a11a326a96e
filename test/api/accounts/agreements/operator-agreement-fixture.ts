import { type Gateway } from '../../../support/api/api.ts';
import { succeeded, type Parties } from '../../offers/offer-record.ts';

export const put = (parties: Parties, body: unknown, vendorId = parties.vendor.vendorId) =>
  parties.by('Admin', 'PATCH', `/vendors/${vendorId}/agreement`, body);

export const read = async (parties: Parties, id: string) =>
  succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;

export const vendorRow = async (gateway: Gateway, { vendor }: Parties) =>
  (await gateway.sql`select * from vendors where id = ${vendor.vendorId}`)[0];

export const toPercentage = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };
