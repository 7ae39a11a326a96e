import { newVariantForm } from '../catalogue/variant-form.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Visit } from '../http/visit.ts';
import { hiddenFields } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';
import { card, code, own } from '../html/parts.ts';
import { isInReview, variantTitle } from './offer-facts.ts';
import type { Decision } from './read-decision.ts';

/** The candidates with links that show the offer beside them, a search, and a new variant. */
export function candidateCard(visit: Visit, decision: Decision): Html | null {
  const { offer, variant, candidates, context } = decision;
  if (!isInReview(offer)) return null;
  const { texts, value } = visit;
  const { product } = offer;
  const words = texts.decision;
  const path = `/console/offers/${offer.id}`;
  const q = value('q');
  const items = candidates.map((candidate, index) => {
    const { id, sku } = candidate.variant;
    const isChosen = id === variant?.id;
    const to = withQuery(path, { ...context, q, variant: id });
    const mark = isChosen && html`aria-current="true"`;
    return html`<li class="${isChosen && 'chosen'}">
      <a href="${to}" data-key="${index + 1}" ${mark}>
        <kbd>${index + 1}</kbd> ${own(variantTitle(candidate.variant, texts))}
      </a>
      <span class="muted">
        ${code(sku)} ${candidate.matches.map((match) => words.matches[match]).join(', ')}
      </span>
    </li>`;
  });
  const search = html`type="search" name="q" value="${q}"`;
  return card(
    q === '' ? words.candidates : words.found,
    html`${items.length === 0 && html`<p class="muted">${words.noCandidates}</p>`}
      <ol class="candidates">
        ${items}
      </ol>
      <form class="line" role="search">
        ${hiddenFields(context)}
        <input ${search} aria-label="${words.search}" placeholder="${words.search}" />
        <button>${texts.filter}</button>
      </form>
      ${newVariantForm(visit, {
        action: `${path}/new-variant`,
        fields: hiddenFields(context),
        given: {
          sku: product.vendorSku,
          brandName: product.rawBrandName,
          productName: product.rawProductName,
          concentration: product.rawConcentration,
          sizeMl: product.rawSizeMl,
          barcode: product.barcode,
        },
      })}`,
  );
}
