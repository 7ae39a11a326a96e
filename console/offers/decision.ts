import type { OfferDetail, Variant } from '../http/api-types.ts';
import { variantBody } from '../catalogue/variant-form.ts';
import type { Act, ShowPage } from '../http/attempt.ts';
import { Refusal, withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Visit } from '../http/visit.ts';
import { html } from '../html/html.ts';
import { card, chip, code, failureNote, link, muted, outerLink, own } from '../html/parts.ts';
import { candidateCard } from './candidates.ts';
import { decisionForms } from './decision-actions.ts';
import { historyCard, otherOffersCard, priceCard, vendorCard } from './decision-cards.ts';
import { changesSince, compareTable } from './judged-facts.ts';
import { flagChips, offerTitle } from './offer-facts.ts';
import { decidedNote } from './queue.ts';
import { contextOf, pathOf, readDecision } from './read-decision.ts';

/** One offer with all that its decision needs. */
const showDecision: ShowPage = async (visit, notice) => {
  const decision = await readDecision(visit);
  const { texts, since } = visit;
  const { offer, position, variant } = decision;
  const { awaitingSince, kind, viewers } = offer;
  const title = offerTitle(offer, texts, offer.variant);
  const candidates = candidateCard(visit, decision);
  return {
    title,
    above: html`${kind === null ? texts.statuses[offer.status] : texts.queue.kinds[kind]}
    ${awaitingSince !== null && html`· ${texts.decision.waiting(since(awaitingSince))}`}
    ${flagChips(offer.flags, texts)}
    ${viewers.map(({ operatorId, at }) =>
      chip(html`${own(operatorId)} ${texts.decision.looks(since(at))}`, 'warn'),
    )}`,
    heading: own(title),
    beside: muted(
      html`${code(offer.vendorExternalId ?? offer.id)} ·
      ${outerLink(offer.workflow.runsUrl, texts.decision.run)}
      ${position !== null && html`· ${texts.decision.position(position.at, position.total)}`}`,
    ),
    notice: notice ?? decidedNote(visit),
    content: html`${card(texts.decision.compare, compareTable(visit, offer, variant))}
    ${priceCard(visit, decision)}`,
    aside: html`${kind === 'Match' && candidates} ${vendorCard(visit, decision)}
    ${otherOffersCard(visit, decision)} ${historyCard(visit, decision)}
    ${kind !== 'Match' && candidates}`,
    actions: decisionForms(visit, decision),
  };
};

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

/** Decides, and opens the next offer. A conflict shows what has changed meanwhile. */
const decide =
  (action: string): Act =>
  async (visit) => {
    const { texts, read, send, id } = visit;
    const { conflict, timeout, readAgain } = texts.decision;
    const context = contextOf(visit);
    const next = withQuery('/console/offers/next', { ...context, done: action, last: id });
    try {
      await send(`${pathOf(visit)}/${action}`, bodyOf(action, visit));
    } catch (error) {
      if (!(error instanceof Refusal) || ![409, 504].includes(error.status)) throw error;
      const { status } = error;
      const offer = await read<OfferDetail>(pathOf(visit));
      if (status === 409 || !isDecided(offer, visit)) {
        const again = withQuery(`/console/offers/${id}`, context);
        const notice = failureNote(
          status === 409
            ? html`${conflict} ${changesSince(visit, offer)}`
            : html`${timeout} ${link(again, readAgain)}`,
        );
        return { ...(await showDecision(visit, notice)), status };
      }
    }
    return { next };
  };

/** Adds a variant, and shows the offer beside it. */
const addVariant: Act = async (visit) => {
  const { id } = await visit.send<Variant>('/operator/v1/variants', variantBody(visit));
  const context = { ...contextOf(visit), variant: id };
  return { next: withQuery(`/console/offers/${visit.id}`, context) };
};

/** The page of an offer, and the decisions. */
export const decisionPages: AddPages = ({ show, submit }) => {
  const path = '/console/offers/:id';
  show(path, showDecision);
  for (const action of [
    'approve',
    'reject',
    'pending-price/apply',
    'pending-price/discard',
    'suspend',
    'reinstate',
    'return-to-review',
  ])
    submit(`${path}/${action}`, decide(action), showDecision);
  submit(`${path}/new-variant`, addVariant, showDecision);
};
