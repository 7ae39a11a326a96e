import { printedGtin } from '../../domain/offers/gtin.ts';
import { offerStatuses } from '../../domain/offers/offer.ts';
import { apiPath, html, ui } from '../page.ts';
import type { Act, AddPages, api } from '../page.ts';
import { readVendors, vendorLink } from '../vendors/vendor-names.ts';
import { flagChips, offerTitle, pricesOf } from './offer-parts.ts';
import { readNames } from './queue.ts';

/** The offers in every status: those that wait come first, then the newest. */
const showOffers: Act = async (visit) => {
  const { texts, value, since } = visit;
  const { offers, decision, queue } = texts;
  const list = await ui.readFiltered<api.QueuedOffer>(visit, apiPath`/operator/v1/offers`, {
    status: visit.choice('status', offerStatuses),
    vendorId: value('vendorId'),
    code: printedGtin(value('text')) ?? value('text'),
  });
  const [vendors, names] = await Promise.all([
    readVendors(visit, []),
    readNames(visit, list.items),
  ]);
  return ui.listPage(visit, list, {
    title: offers.title,
    fields: [
      ui.searchField(visit, offers.search, 'text'),
      ui.choiceField(visit, texts.status, 'status', ui.named(offerStatuses, texts.statuses)),
      vendors.field,
    ],
    columns: [decision.fields.product, texts.status, texts.vendor, [queue.price], queue.waiting],
    row: (offer) => [
      html`${ui.link(
        `/console/offers/${offer.id}`,
        ui.own(offerTitle(offer, texts, names.get(offer.product.variantId ?? ''))),
      )}
      ${ui.muted(ui.code(offer.vendorExternalId ?? offer.product.vendorSku))}`,
      html`${texts.statuses[offer.status]} ${flagChips(offer.flags, texts)}`,
      vendorLink(offer.vendorId, offer.vendorName),
      ui.money(pricesOf(offer).live),
      offer.awaitingSince && since(offer.awaitingSince),
    ],
  });
};

export const allOffersPage: AddPages = ({ show }) => show('/console/all-offers', showOffers);
