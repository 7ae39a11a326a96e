import { variantFields } from '../catalogue/variant-form.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import { hiddenFields } from '../html/parts.ts';
import { isInReview, variantTitle } from './offer-facts.ts';
import type { Decision } from './read-decision.ts';

/** The candidates with links that show the offer beside them, a search, and a new variant. */
export function candidateCard(visit: Visit, decision: Decision): Html | null {
  const { offer, variant, candidates, context } = decision;
  if (!isInReview(offer)) return null;
  const { texts, value } = visit;
  const words = texts.decision;
  const path = `/console/offers/${offer.id}`;
  const q = value('q');
  return html`<section class="card">
    <h2>${q === '' ? words.candidates : words.found}</h2>
    ${candidates.length === 0 && html`<p class="muted">${words.noCandidates}</p>`}
    <ol class="candidates">
      ${candidates.map((candidate, index) => {
        const { id, sku } = candidate.variant;
        const link = withQuery(path, { ...context, q, variant: id });
        return html`<li class="${id === variant?.id && 'chosen'}">
          <a
            href="${link}"
            data-key="${index + 1}"
            ${id === variant?.id && html`aria-current="true"`}
          >
            <kbd>${index + 1}</kbd> <bdi>${variantTitle(candidate.variant, texts)}</bdi>
          </a>
          <span class="muted">
            <bdi class="id">${sku}</bdi>
            ${candidate.matches.map((match) => words.matches[match]).join(', ')}
          </span>
        </li>`;
      })}
    </ol>
    <form class="line" role="search">
      ${hiddenFields(context)}
      <input
        type="search"
        name="q"
        value="${q}"
        aria-label="${words.search}"
        placeholder="${words.search}"
      />
      <button>${texts.filter}</button>
    </form>
    ${newVariantForm(visit, decision)}
  </section>`;
}

/** A form for a new variant, filled in from the offer. */
function newVariantForm({ texts }: Visit, { offer, context }: Decision): Html {
  const { product } = offer;
  const { newVariant, addVariant } = texts.decision;
  return html`<details>
    <summary>${newVariant}</summary>
    <form method="post" action="/console/offers/${offer.id}/new-variant" class="fields">
      ${hiddenFields(context)}
      ${variantFields(texts, {
        sku: product.vendorSku,
        brandName: product.rawBrandName,
        productName: product.rawProductName,
        concentration: product.rawConcentration,
        sizeMl: product.rawSizeMl,
        barcode: product.barcode,
      })}
      <button>${addVariant}</button>
    </form>
  </details>`;
}
