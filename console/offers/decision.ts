import { variantBody } from '../catalogue/catalogue.ts';
import { html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { OfferDetail, Variant } from '../http/api-types.ts';
import { Refusal, withQuery } from '../http/gateway-calls.ts';
import type { Act, AddPages, ShowPage, Visit } from '../http/visit.ts';
import * as cards from './decision-parts.ts';
import { changesSince, compareTable } from './judged-facts.ts';
import { flagChips, offerTitle } from './offer-facts.ts';
import { decidedNote } from './queue.ts';
import { contextOf, pathOf, readDecision } from './read-decision.ts';

const showDecision: ShowPage = async (visit, notice) => {
  const decision = await readDecision(visit);
  const { texts, since } = visit;
  const { offer, position, variant } = decision;
  const { awaitingSince, kind, viewers } = offer;
  const title = offerTitle(offer, texts, offer.variant);
  const candidates = cards.candidateCard(visit, decision);
  return {
    title,
    above: html`${kind === null ? texts.statuses[offer.status] : texts.queue.kinds[kind]}
    ${awaitingSince !== null && html`· ${texts.decision.waiting(since(awaitingSince))}`}
    ${flagChips(offer.flags, texts)}
    ${viewers.map(({ operatorId, at }) =>
      ui.chip(html`${ui.own(operatorId)} ${texts.decision.looks(since(at))}`, 'warn'),
    )}`,
    heading: ui.own(title),
    beside: ui.muted(
      html`${ui.code(offer.vendorExternalId ?? offer.id)} ·
      ${ui.outerLink(offer.workflow.runsUrl, texts.decision.run)}
      ${position !== null && html`· ${texts.decision.position(position.at, position.total)}`}`,
    ),
    notice: notice ?? decidedNote(visit),
    content: html`${ui.card(texts.decision.compare, compareTable(visit, offer, variant))}
    ${cards.priceCard(visit, decision)}`,
    aside: html`${kind === 'Match' && candidates} ${cards.vendorCard(visit, decision)}
    ${cards.otherOffersCard(visit, decision)} ${cards.historyCard(visit, decision)}
    ${kind !== 'Match' && candidates}`,
    actions: cards.decisionForms(visit, decision),
  };
};

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
        const notice = ui.failureNote(
          status === 409
            ? html`${conflict} ${changesSince(visit, offer)}`
            : html`${timeout} ${ui.link(again, readAgain)}`,
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
