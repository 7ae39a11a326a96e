import type { OfferStatus } from '../../../domain/offers/offer.ts';

/** Instants are RFC 3339 text, which keeps their microseconds. */
export type OfferFilter = {
  readonly status: OfferStatus | null;
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  /** Exclusive. */
  readonly changedSince: string | null;
  /** Both inclusive. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  /** The token of the request; used with `changedSince`. */
  readonly tokenId?: string;
};
