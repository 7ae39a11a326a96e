import type { Visit } from '../http/visit.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { hiddenFields, reasonForm } from '../html/forms.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { seenFacts } from './judged-facts.ts';
import { isInReview, pricesOf } from './offer-facts.ts';
import type { Decision } from './read-decision.ts';

/** Each has a key from 1 to 9. */
const recentMax = 9;

/** The reasons of earlier rejections of the vendor's offers, each once. */
const recentReasons = ({ offer, summary }: Decision): readonly string[] => {
  const rejections = offer.history.decisions.filter(({ action }) => action === 'offer.reject');
  const reasons = [...rejections, ...summary.latestRejections].map(({ reason }) => reason);
  return [...new Set(reasons.filter((reason) => reason !== null))].slice(0, recentMax);
};

/** The decisions that the offer's state allows. Each form has the version that the page shows. */
export function decisionForms(visit: Visit, decided: Decision): Part {
  const { offer, variant, position, context } = decided;
  const { decision } = visit.texts;
  const path = `/console/offers/${offer.id}`;
  const fields = hiddenFields({
    ...context,
    expectedVersion: offer.reviewVersion,
    reviewedAt: offer.review.reviewedAt,
    seen: seenFacts(visit, offer),
    variant: variant?.id ?? null,
  });
  const button = (action: string, label: string, key: string, isPrimary = false): Html =>
    html`<form method="post" action="${path}/${action}">
      ${fields}
      <button class="${isPrimary && 'primary'}" data-key="${key}">
        ${label} <kbd>${key}</kbd>
      </button>
    </form>`;
  const withReason = (
    action: 'reject' | 'suspend' | 'reinstate' | 'return-to-review',
    key: string,
    isDanger = false,
  ): Html =>
    reasonForm({
      action: `${path}/${action}`,
      fields,
      button: decision.actions[action],
      reason: decision.reasonForVendor,
      recent: action === 'reject' ? recentReasons(decided) : [],
      key,
      isDanger,
    });
  const { status } = offer;
  const { approve, apply, discard } = decision.actions;
  const needsApproval = isInReview(offer);
  const hasStaged = pricesOf(offer).staged !== null;
  const at = position === null ? context.at : position.at + 1;
  const next = withQuery('/console/offers/next', { ...context, at });
  return [
    needsApproval && variant !== null && button('approve', approve, 'a', true),
    hasStaged && button('pending-price/apply', apply, 'p', !needsApproval),
    hasStaged && button('pending-price/discard', discard, 'd'),
    (needsApproval || status === 'Draft') && withReason('reject', 'r', true),
    status === 'Approved' && withReason('suspend', 's', true),
    status === 'Suspended' && withReason('reinstate', 's'),
    (status === 'Approved' || status === 'Suspended') && withReason('return-to-review', 'b'),
    html`<a class="button" data-key="n" href="${next}">${decision.next} <kbd>n</kbd></a>`,
  ];
}
