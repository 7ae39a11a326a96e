import type { Visit } from '../http/visit.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { html, type Html } from '../html/html.ts';
import { hiddenFields, reasonForm } from '../html/parts.ts';
import { seenFacts } from './judged-facts.ts';
import { isInReview, offerTitle, pricesOf } from './offer-facts.ts';
import type { Decision } from './read-decision.ts';

/** Each has a key from 1 to 9. */
const recentMax = 9;

/** The reasons of earlier rejections of the vendor's offers, each once. */
const recentReasons = ({ offer, summary }: Decision): readonly string[] => {
  const rejections = offer.history.decisions.filter(({ action }) => action === 'offer.reject');
  const reasons = [...rejections, ...summary.latestRejections].map(({ reason }) => reason);
  return [...new Set(reasons.filter((reason) => reason !== null))].slice(0, recentMax);
};

type Button = { readonly key: string; readonly label: string; readonly isPrimary?: boolean };

/** The decisions that the offer's state allows. Each form has the version that the page shows. */
export function actionBar(visit: Visit, decided: Decision): Html {
  const { texts } = visit;
  const { offer, variant, position, context } = decided;
  const { decision } = texts;
  const path = `/console/offers/${offer.id}`;
  const fields = hiddenFields({
    ...context,
    expectedVersion: offer.reviewVersion,
    reviewedAt: offer.review.reviewedAt,
    seen: seenFacts(visit, offer),
    variant: variant?.id ?? null,
  });
  const needsApproval = isInReview(offer);
  const button = (action: string, { key, label, isPrimary = false }: Button): Html =>
    html`<form method="post" action="${path}/${action}">
      ${fields}
      <button class="${isPrimary && 'primary'}" data-key="${key}">
        ${label} <kbd>${key}</kbd>
      </button>
    </form>`;
  const withReason = (
    action: 'reject' | 'suspend' | 'reinstate' | 'return-to-review',
    { key, isDanger }: { readonly key: string; readonly isDanger: boolean },
  ): Html =>
    reasonForm({
      action: `${path}/${action}`,
      fields,
      label: decision[action],
      button: decision[`${action}Now`],
      reasonLabel: decision.reasonForVendor,
      recent: action === 'reject' ? recentReasons(decided) : [],
      key,
      isDanger,
    });
  const hasStaged = pricesOf(offer).staged !== null;
  const at = position === null ? context.at : position.at + 1;
  const title = offerTitle(offer, texts, offer.variant);
  return html`<div class="actions" role="group" aria-label="${title}">
    <div class="subject"><bdi>${title}</bdi></div>
    ${
      needsApproval &&
      variant !== null &&
      button('approve', { key: 'a', label: decision.approve, isPrimary: true })
    }
    ${
      hasStaged &&
      button('pending-price/apply', { key: 'p', label: decision.apply, isPrimary: !needsApproval })
    }
    ${hasStaged && button('pending-price/discard', { key: 'd', label: decision.discard })}
    ${(needsApproval || offer.status === 'Draft') && withReason('reject', { key: 'r', isDanger: true })}
    ${offer.status === 'Approved' && withReason('suspend', { key: 's', isDanger: true })}
    ${offer.status === 'Suspended' && withReason('reinstate', { key: 's', isDanger: false })}
    ${
      (offer.status === 'Approved' || offer.status === 'Suspended') &&
      withReason('return-to-review', { key: 'b', isDanger: false })
    }
    <a class="button" data-key="n" href="${withQuery('/console/offers/next', { ...context, at })}">
      ${decision.next} <kbd>n</kbd>
    </a>
  </div>`;
}
