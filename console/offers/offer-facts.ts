import type { Offer, OfferDetail, Variant } from '../http/api-types.ts';
import { html, type Html } from '../html/html.ts';
import type { Texts } from '../texts/texts.ts';

/** Whether an offer waits for its approval; a staged price waits in another status. */
export const isInReview = ({ status }: Pick<Offer, 'status'>): boolean =>
  status === 'PendingMatch' || status === 'PendingReview';

/** The vendor's live and staged price under its agreement, net, in SAR; null where there is none. */
export function pricesOf({ pricingModel, cost, price }: Offer): {
  readonly live: number | null;
  readonly staged: number | null;
} {
  const isCost = pricingModel.name === 'CostPlusMargin';
  const { amount, pending } = isCost ? cost : price;
  return {
    // A cost of 0 was information under the other model.
    live: amount === 0 ? null : amount,
    staged: pending?.amount ?? null,
  };
}

/** What the API warns of, as chips. */
export const flagChips = (flags: OfferDetail['flags'], { queue }: Texts): readonly Html[] =>
  flags.map((flag) => {
    const mark = flag === 'PriceMissing' ? 'bad' : 'warn';
    return html`<span class="chip ${mark}">${queue.flags[flag]}</span> `;
  });

const titleOf = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' · ') || '—';

/** Product, concentration and size in one line; those of the match if the vendor gave none. */
export const offerTitle = (
  { product }: Offer,
  texts: Texts,
  variant: Variant | null = null,
): string =>
  product.rawProductName === null && variant !== null
    ? variantTitle(variant, texts)
    : titleOf([
        product.rawProductName,
        product.rawConcentration,
        product.rawSizeMl === null ? null : texts.decision.millilitres(product.rawSizeMl),
      ]);

export const variantTitle = (variant: Variant, { decision }: Texts): string =>
  titleOf([
    variant.brandName,
    variant.productName,
    variant.concentration,
    variant.sizeMl === null ? null : decision.millilitres(variant.sizeMl),
  ]);
