import { setNewest } from '../bounded-map.ts';
import type { KnownAgreements } from '../../commands/offers/submit-offers.ts';
import type { CreationAgreement } from '../../db/offers/creation-facts.ts';

/** About two megabytes. */
const sizeMax = 10_000;

/** Evicts the agreement that was read longest ago first. */
export function createKnownAgreements(max = sizeMax): KnownAgreements {
  const byVendor = new Map<string, CreationAgreement>();
  return {
    get: (vendorId) => byVendor.get(vendorId) ?? null,
    set: (vendorId, agreement) => setNewest(byVendor, max, vendorId, agreement),
  };
}
