import type { Offer } from './offer.ts';
import { livePrice, stagedPrice } from './offer-prices.ts';

/** What the audit log keeps of an offer before and after an operator's act; net prices in halalas. */
export const auditedOffer = (offer: Offer) => ({
  status: offer.status,
  version: offer.version,
  variantId: offer.variantId,
  netHalalas: livePrice(offer)?.netHalalas ?? null,
  stagedNetHalalas: stagedPrice(offer)?.netHalalas ?? null,
});
