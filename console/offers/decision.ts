import { auditLink } from '../audit/audit.ts';
import { variantBody } from '../catalogue/catalogue.ts';
import { apiPath, html, Refusal, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Part, ShowPage, Visit } from '../page.ts';
import { noteForm, notesCard } from '../notes/notes.ts';
import * as cards from './decision-parts.ts';
import { changesSince, compareTables } from './judged-facts.ts';
import { auditNames, flagChips, offerTitle, viewerChip } from './offer-parts.ts';
import { contextOf, decidedNote } from './queue.ts';
import { pathOf, readDecision } from './read-decision.ts';

const showDecision: ShowPage = async (visit, notice) => {
  const decision = await readDecision(visit);
  const { texts, since } = visit;
  const { offer, position } = decision;
  const { awaitingSince, kind, viewers } = offer;
  const title = offerTitle(offer, texts, offer.variant);
  const { vendorId } = offer;
  const notes = await notesCard(visit, 'offer', { vendorId, context: searchOf(visit) });
  return {
    title,
    above: html`${kind === null ? texts.statuses[offer.status] : texts.queue.kinds[kind]}
    ${awaitingSince !== null && html`· ${texts.decision.waiting(since(awaitingSince))}`}
    ${offer.isOverTarget && ui.chip(texts.queue.late, 'warn')} ${flagChips(offer.flags, texts)}
    ${viewersPart(visit, viewers)}`,
    hasLivePart: true,
    beside: ui.muted(
      html`${ui.code(offer.vendorExternalId ?? offer.id)} · ${auditLink(visit, offer.id)} ·
      ${ui.outerLink(offer.workflow.runsUrl, texts.decision.run)}
      ${position !== null && html`· ${texts.decision.position(position.at, position.total)}`}`,
    ),
    notice: notice ?? (isDecidedAgain(visit, offer) ? null : await decidedNote(visit)),
    content: html`${ui.card(texts.decision.compare, compareTables(visit, decision))}
    ${cards.priceCard(visit, decision)}`,
    aside: html`${cards.candidateCard(visit, decision)} ${cards.duplicatesCard(visit, decision)}
    ${cards.vendorCard(visit, decision)} ${notes} ${cards.otherOffersCard(visit, decision)}
    ${cards.historyCard(visit, decision)}`,
    actions: cards.decisionForms(visit, decision),
  };
};

/** Whether the page names an earlier decision on the offer, as after a step back of the browser. */
const isDecidedAgain = ({ id, claimed }: Visit, { review }: api.OfferDetail): boolean =>
  claimed('last') === id && claimed('decidedAt') !== review.reviewedAt;

/** Who else has the offer open. The browser's module reads it again and again. */
function viewersPart(visit: Visit, viewers: api.OfferDetail['viewers']): Html {
  const live = `/console/offers/${visit.id}/viewers`;
  const chips = viewers.map((each) => viewerChip(visit, each));
  return html`<span id="viewers" data-live="${live}" data-every="15000">${chips}</span>`;
}

const showViewers: ShowPage = async (visit) => {
  // The browser reads it without a person, who may have gone or have opened another offer.
  const { viewers } = await visit.read<api.OfferDetail>(pathOf(visit.id), { opens: 'false' });
  return { title: visit.texts.decision.offer, content: viewersPart(visit, viewers) };
};

/** The context of the page with the search for candidates, and the variant that it begins with. */
const searchOf = (visit: Visit) => ({
  ...contextOf(visit),
  q: visit.value('q'),
  variant: visit.value('variant'),
});

type Action = keyof typeof auditNames;

function bodyOf(action: Action, { value }: Visit): object {
  const expectedVersion = Number(value('expectedVersion'));
  // A text that was written wins over a reason that was chosen.
  const reason = value('reason') || value('recent');
  if (action === 'undo') return { expectedVersion };
  if (action === 'approve') return { expectedVersion, variantId: value('variant') || null };
  return action.startsWith('pending-price') ? { expectedVersion } : { expectedVersion, reason };
}

/** Whether the offer has no decision since the page was shown: every decision sets this instant. */
const isUndecided = ({ review }: api.OfferDetail, { value }: Visit): boolean =>
  (review.reviewedAt ?? '') === value('reviewedAt');

/** Why a decision is not confirmed, by the offer as it is now; null if the operator made it. */
function failureOf(visit: Visit, action: Action, status: number, offer: api.OfferDetail): Part {
  const { texts, operator, id } = visit;
  const { conflict, timeout, readAgain, another } = texts.decision;
  const [latest] = offer.history.decisions;
  if (status === 409) return html`${conflict} ${changesSince(visit, offer)}`;
  // A rejection keeps the version.
  if (latest === undefined || isUndecided(offer, visit)) {
    const again = ui.withQuery(`/console/offers/${id}`, contextOf(visit));
    return html`${timeout} ${ui.link(again, readAgain)}`;
  }
  const isOwn = latest.operatorId === operator.operatorId && latest.action === auditNames[action];
  return isOwn ? null : html`${another} ${cards.decisionLine(visit, latest)}`;
}

/** Decides, and opens the offer to decide on next. A conflict shows what has changed meanwhile. */
const decide =
  (action: Action): Act =>
  async (visit) => {
    const { send, id } = visit;
    const read = () => visit.read<api.OfferDetail>(pathOf(id));
    let decided: api.Offer | null = null;
    try {
      // The API takes back the latest decision, which may be another operator's by now.
      if (action === 'undo' && !isUndecided(await read(), visit))
        return openNext(visit, { overtaken: id });
      decided = await send<api.Offer>(pathOf(id).below(action), bodyOf(action, visit));
    } catch (error) {
      if (!(error instanceof Refusal) || ![409, 422, 504].includes(error.status)) throw error;
      const { status } = error;
      const offer = await read();
      if (status !== 504 && !isUndecided(offer, visit)) return openNext(visit, { overtaken: id });
      if (status === 422) throw error;
      const failure = failureOf(visit, action, status, offer);
      decided = offer;
      if (failure !== null)
        return { ...(await showDecision(visit, ui.failureNote(failure))), status };
    }
    const version = decided?.reviewVersion;
    const done = { done: action, last: id, version, decidedAt: decided?.review.reviewedAt };
    // An offer that waits again is decided on now.
    return action === 'return-to-review' || action === 'undo'
      ? { next: ui.withQuery(`/console/offers/${id}`, { ...contextOf(visit), ...done }) }
      : openNext(visit, { ...done, after: visit.value('order') && decided?.vendorId });
  };

/** Leads to the offer to decide on next, which says what was done. */
const openNext = (visit: Visit, done: ui.Query) => ({
  next: ui.withQuery('/console/offers/next', { ...contextOf(visit), ...done }),
});

/** Adds a variant, and shows the offer beside it. */
const addVariant: Act = async (visit) => {
  const { id } = await visit.send<api.Variant>(apiPath`/operator/v1/variants`, variantBody(visit));
  const context = { ...contextOf(visit), variant: id };
  return { next: ui.withQuery(`/console/offers/${visit.id}`, context) };
};

export const decisionPages: AddPages = (pages) => {
  const { liveForOne, show, submit } = pages;
  const path = '/console/offers/:id';
  show(path, showDecision);
  liveForOne(`${path}/viewers`, showViewers);
  for (const action of Object.keys(auditNames) as Action[])
    submit(`${path}/${action}`, decide(action), showDecision);
  noteForm(pages, 'offer', showDecision, searchOf);
  submit(`${path}/new-variant`, addVariant, showDecision);
};
