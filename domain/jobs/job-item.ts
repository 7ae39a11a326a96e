import type { Failure, FieldError } from '../errors.ts';
import type { OfferDeclaration } from '../offers/create-offer.ts';
import type { DeclaredPrice, OfferEdit } from '../offers/edit-offer.ts';
import type { RecordedChange } from './recorded-change.ts';

/** What a vendor calls an offer: exactly one of the two is not null. */
type Name = { readonly offerId: string | null; readonly vendorExternalId: string | null };

/** An item that names an offer, with what it does to the offer. */
export type NamedItem =
  | { readonly type: 'edit'; readonly name: Name; readonly edit: OfferEdit }
  /** A malformed edit in the older form, which has another answer under Model 2 (D74). */
  | {
      readonly type: 'malformedOlderForm';
      readonly name: Name;
      readonly failure: Failure;
      readonly malformed: readonly FieldError[];
    }
  | { readonly type: 'price'; readonly name: Name; readonly price: DeclaredPrice }
  | {
      readonly type: 'stock';
      readonly name: Name;
      readonly stock: {
        readonly declaredInStock: boolean;
        readonly declaredStockQuantity: number | null;
      };
    }
  | { readonly type: 'revert'; readonly name: Name; readonly change: RecordedChange };

/** An item of a bulk job as it is stored: parsed when the job was accepted. */
export type JobItem =
  | NamedItem
  | { readonly type: 'malformed'; readonly failure: Failure }
  | { readonly type: 'create'; readonly declaration: OfferDeclaration }
  /** A restoration of an item that changed nothing. */
  | { readonly type: 'nothing' };
