import { validate } from 'uuid';
import type { OfferName } from '../../../domain/offers/offer.ts';
import { storableText } from '../../validation/fields.ts';

/** Characters of a vendorExternalId. */
const externalIdMax = 255;

/** The ids that an item names, as far as a result can hold them. */
export function sentName(sent: unknown): OfferName {
  const fields: { readonly offerId?: unknown; readonly vendorExternalId?: unknown } =
    typeof sent === 'object' && sent !== null ? sent : {};
  const { offerId, vendorExternalId } = fields;
  return {
    offerId: typeof offerId === 'string' && validate(offerId) ? offerId.toLowerCase() : null,
    vendorExternalId:
      typeof vendorExternalId === 'string' && vendorExternalId.trim() !== ''
        ? storableText(vendorExternalId.slice(0, externalIdMax))
        : null,
  };
}
