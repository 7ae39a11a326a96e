import type { Offer } from './offer.ts';
import { livePrice, stagedPrice } from './offer-prices.ts';

/** The part of an offer that the audit log stores; net prices in halalas. */
export const auditedOffer = (offer: Offer) => ({
  status: offer.status,
  version: offer.version,
  variantId: offer.variantId,
  netHalalas: livePrice(offer)?.netHalalas ?? null,
  stagedNetHalalas: stagedPrice(offer)?.netHalalas ?? null,
});
