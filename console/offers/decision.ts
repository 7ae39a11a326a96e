import type { OfferDetail, Variant } from '../http/api-types.ts';
import { variantBody } from '../catalogue/variant-form.ts';
import { explained } from '../http/attempt.ts';
import { Refusal, withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { span } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { doneNotice } from '../html/parts.ts';
import { candidateCard } from './candidates.ts';
import { actionBar } from './decision-actions.ts';
import { historyCard, otherOffersCard, priceCard, vendorCard } from './decision-cards.ts';
import { changesSince, compareTable } from './judged-facts.ts';
import { flagChips, offerTitle } from './offer-facts.ts';
import { filterOf } from './queue.ts';
import { pathOf, readDecision } from './read-decision.ts';

async function showDecision(visit: Visit, notice: Html | null = null): Promise<Page> {
  const decision = await readDecision(visit);
  const { texts, language } = visit;
  const { offer, position, variant } = decision;
  const { awaitingSince: since, kind } = offer;
  const title = offerTitle(offer, texts, offer.variant);
  return {
    title,
    body: html`${notice ?? doneNotice(visit)}
      <div class="head">
        <div>
          <div class="muted">
            ${kind === null ? texts.statuses[offer.status] : texts.queue.kinds[kind]}
            ${
              since !== null &&
              html`· ${texts.decision.waiting(span(Date.now() - Date.parse(since), language))}`
            }
            ${flagChips(offer.flags, texts)}
            ${offer.viewers.map(
              ({ operatorId, at }) =>
                html`<span class="chip warn">
                  <bdi>${operatorId}</bdi>
                  ${texts.decision.looks(span(Date.now() - Date.parse(at), language))}
                </span>`,
            )}
          </div>
          <h1><bdi>${title}</bdi></h1>
        </div>
        <div class="muted">
          <bdi class="id">${offer.vendorExternalId ?? offer.id}</bdi> ·
          <a href="${offer.workflow.runsUrl}" rel="noreferrer noopener" target="_blank">
            ${texts.decision.run}
          </a>
          ${position !== null && html`· ${texts.decision.position(position.at, position.total)}`}
        </div>
      </div>
      <div class="decide">
        <div class="stack">
          <section class="card">
            <h2>${texts.decision.compare}</h2>
            ${compareTable(visit, offer, variant)}
          </section>
          ${priceCard(visit, decision)}
        </div>
        <aside class="stack">
          ${kind === 'Match' && candidateCard(visit, decision)} ${vendorCard(visit, decision)}
          ${otherOffersCard(visit, decision)} ${historyCard(visit, decision)}
          ${kind !== 'Match' && candidateCard(visit, decision)}
        </aside>
      </div>
      ${actionBar(visit, decision)}`,
  };
}

/** The body that an action takes, from its form. */
function bodyOf(action: string, { value }: Visit): object {
  const expectedVersion = Number(value('expectedVersion'));
  // A text that was written wins over a reason that was chosen.
  const reason = value('reason') || value('recent');
  if (action === 'approve') return { expectedVersion, variantId: value('variant') || null };
  if (action === 'reject' || action === 'return-to-review') return { expectedVersion, reason };
  return action === 'suspend' || action === 'reinstate' ? { reason } : { expectedVersion };
}

/** Whether an offer was decided since the page was made whose form was sent. */
const isDecided = ({ review, reviewVersion }: OfferDetail, { value }: Visit): boolean =>
  (review.reviewedAt ?? '') !== value('reviewedAt') &&
  reviewVersion !== Number(value('expectedVersion'));

/** Decides, and opens the next offer. A refusal shows the offer as it is now. */
const decide =
  (action: string) =>
  async (visit: Visit): Promise<Page | Next> => {
    const { texts, value, read, send } = visit;
    const context = { ...filterOf(visit), at: value('at'), done: action, last: value('id') };
    const next = { next: withQuery('/console/offers/next', context) };
    try {
      await send(`${pathOf(value('id'))}/${action}`, bodyOf(action, visit));
      return next;
    } catch (error) {
      if (!(error instanceof Refusal) || ![400, 409, 422, 504].includes(error.status)) throw error;
      const { status } = error;
      const offer = await read<OfferDetail>(pathOf(value('id')));
      if (status === 504 && isDecided(offer, visit)) return next;
      const again = withQuery(`/console/offers/${offer.id}`, {
        ...filterOf(visit),
        at: value('at'),
      });
      const notice =
        status === 409
          ? html`<p>${texts.decision.conflict}</p>
              ${changesSince(visit, offer)}`
          : status === 504
            ? html`<p>
                ${texts.decision.timeout} <a href="${again}">${texts.decision.readAgain}</a>
              </p>`
            : html`<p>${texts.failures[status === 400 ? 400 : 422]} ${explained(error)}</p>`;
      const box = html`<div class="notice bad" role="alert">${notice}</div>`;
      return { ...(await showDecision(visit, box)), status };
    }
  };

/** Adds a variant, and shows the offer beside it. */
async function addVariant(visit: Visit): Promise<Page | Next> {
  const { value, send } = visit;
  try {
    const { id } = await send<Variant>('/operator/v1/variants', variantBody(visit));
    const context = { ...filterOf(visit), at: value('at'), variant: id };
    return { next: withQuery(`/console/offers/${value('id')}`, context) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 400) throw error;
    const box = html`<div class="notice bad" role="alert">${explained(error)}</div>`;
    return { ...(await showDecision(visit, box)), status: 400 };
  }
}

/** One offer with all that its decision needs, and the decisions. */
export const decisionPages: AddPages = ({ show, submit }) => {
  show('/console/offers/:id', (visit) => showDecision(visit));
  for (const action of [
    'approve',
    'reject',
    'pending-price/apply',
    'pending-price/discard',
    'suspend',
    'reinstate',
    'return-to-review',
  ])
    submit(`/console/offers/:id/${action}`, decide(action));
  submit('/console/offers/:id/new-variant', addVariant);
};
