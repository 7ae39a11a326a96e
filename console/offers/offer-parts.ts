import { html, ui, type api, type Html, type Texts, type Visit } from '../page.ts';

/** Whether an offer waits for its approval; a staged price waits in another status. */
export const isInReview = ({ status }: Pick<api.Offer, 'status'>): boolean =>
  status === 'PendingMatch' || status === 'PendingReview';

/** The decisions on an offer by their paths in the API, with their names in the audit log. */
export const auditNames = {
  approve: 'offer.approve',
  reject: 'offer.reject',
  'pending-price/apply': 'offer.applyPrice',
  'pending-price/discard': 'offer.discardPrice',
  suspend: 'offer.suspend',
  reinstate: 'offer.reinstate',
  'return-to-review': 'offer.returnToReview',
  undo: 'offer.undo',
} as const;

/**
 * The vendor's live and staged price under its agreement, net, in SAR; null where there is none.
 */
export function pricesOf({ pricingModel, cost, price }: api.Offer) {
  const { amount, pending } = pricingModel.name === 'CostPlusMargin' ? cost : price;
  // A cost of 0 was information under the other model.
  return { live: amount === 0 ? null : amount, staged: pending?.amount ?? null };
}

/** The live price, or the staged one, or both of them. */
export function priceText(offer: api.Offer): Html {
  const { live, staged } = pricesOf(offer);
  return staged === null || live === null
    ? ui.money(staged ?? live)
    : ui.own(html`${ui.money(live)} → ${ui.money(staged)}`);
}

/** What the API warns of, as chips. */
export const flagChips = (flags: api.OfferDetail['flags'], { queue }: Texts): readonly Html[] =>
  flags.map(
    (flag) => html`${ui.chip(queue.flags[flag], flag === 'PriceMissing' ? 'bad' : 'warn')} `,
  );

/** Another operator who has an offer open. */
export const viewerChip = (
  { texts, ago }: Visit,
  { operatorId, at }: api.OfferDetail['viewers'][number],
): Html => ui.chip(html`${ui.own(operatorId)} ${texts.decision.looks(ago(at))}`, 'warn');

const titleOf = (texts: Texts, names: readonly (string | null)[], sizeMl: number | null): string =>
  [...names, sizeMl === null ? null : texts.decision.millilitres(sizeMl)]
    .filter((part) => part !== null && part !== '')
    .join(' · ') || '—';

/** Product, concentration and size in one line; from the match if the vendor gave none. */
export const offerTitle = ({ product }: api.Offer, texts: Texts, match?: api.Variant | null) =>
  product.rawProductName === null && match
    ? variantTitle(match, texts)
    : titleOf(texts, [product.rawProductName, product.rawConcentration], product.rawSizeMl);

export const variantTitle = (variant: api.Variant, texts: Texts): string => {
  const { brandName, productName, concentration, sizeMl } = variant;
  return titleOf(texts, [brandName, productName, concentration], sizeMl);
};
