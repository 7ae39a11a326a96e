import type { Failure, FieldError } from '../errors.ts';
import type { OfferDeclaration } from '../offers/create-offer.ts';
import type { DeclaredPrice, OfferEdit } from '../offers/edit-offer.ts';
import type { OfferName } from '../offers/offer.ts';
import type { Stock } from '../offers/stock.ts';
import type { RecordedChange } from './recorded-change.ts';

/** An item that names an offer, with what it does to the offer. */
export type NamedItem =
  | { readonly type: 'edit'; readonly name: OfferName; readonly edit: OfferEdit }
  /** A malformed edit in the older form, which has another response under Model 2. */
  | {
      readonly type: 'malformedOlderForm';
      readonly name: OfferName;
      readonly failure: Failure;
      readonly malformed: readonly FieldError[];
    }
  | { readonly type: 'price'; readonly name: OfferName; readonly price: DeclaredPrice }
  | { readonly type: 'stock'; readonly name: OfferName; readonly stock: Stock }
  | { readonly type: 'revert'; readonly name: OfferName; readonly change: RecordedChange };

/** An item of a bulk job as it is stored: parsed when the job was accepted. */
export type JobItem =
  | NamedItem
  | { readonly type: 'malformed'; readonly failure: Failure; readonly name: OfferName }
  | { readonly type: 'create'; readonly declaration: OfferDeclaration }
  /** A restoration of an item that changed nothing. */
  | { readonly type: 'nothing' };
