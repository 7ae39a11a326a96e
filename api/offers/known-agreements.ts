import { setNewest } from '../bounded-map.ts';
import type { CreationFacts } from '../../db/offers/offers.ts';

type KnownAgreement = Pick<CreationFacts, 'agreement' | 'agreementEpoch' | 'agreementVersion'>;

/** The agreements of vendors as this process last read them. */
export type KnownAgreements = {
  readonly get: (vendorId: string) => KnownAgreement | null;
  readonly set: (vendorId: string, agreement: KnownAgreement) => void;
};

/** About two megabytes. */
const sizeMax = 10_000;

/** Evicts the agreement that was read longest ago first. */
export function createKnownAgreements(max = sizeMax): KnownAgreements {
  const byVendor = new Map<string, KnownAgreement>();
  return {
    get: (vendorId) => byVendor.get(vendorId) ?? null,
    set: (vendorId, { agreement, agreementEpoch, agreementVersion }) => {
      setNewest(byVendor, max, vendorId, { agreement, agreementEpoch, agreementVersion });
    },
  };
}
