import { setNewest } from '../bounded-map.ts';
import type { CreationAgreement } from '../../db/offers/creation-facts.ts';

/** The agreements of vendors as this process last read them. */
export type KnownAgreements = {
  readonly get: (vendorId: string) => CreationAgreement | null;
  readonly set: (vendorId: string, agreement: CreationAgreement) => void;
};

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
