import { inspectionOutcomes } from '../../domain/returns/return-status.ts';
import { auditLink } from '../audit/audit.ts';
import type { ReturnDetail, Vendor } from '../http/api-types.ts';
import type { Act, ShowPage } from '../http/attempt.ts';
import { Refusal } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Visit } from '../http/visit.ts';
import { hiddenFields, reasonForm } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';
import { card, code, facts, failureNote, link, muted, outerLink } from '../html/parts.ts';
import { own, rowsTable, section, timeline } from '../html/parts.ts';
import { deadlineOf, statusOf } from './returns.ts';

/** The moves by staff from each status, as paths of the API; each takes a reason. */
const movesFrom = {
  Pending: ['approve', 'reject', 'withdraw'],
  Approved: ['in-transit', 'withdraw', 'close'],
  InTransit: ['received'],
  Received: ['start-inspection'],
  InspectionAccepted: ['refund-released'],
  InspectionRejected: ['close'],
} as const;
const moves = [...new Set(Object.values(movesFrom).flat())];
type Move = (typeof moves)[number];

const pathOf = ({ id }: Visit): string => `/operator/v1/returns/${id}`;

/** One return: what came back, why, the evidence, the proposal, and what staff may do. */
const showReturn: ShowPage = async (visit, notice) => {
  const { texts, read } = visit;
  const { returns } = texts;
  const item = await read<ReturnDetail>(pathOf(visit));
  const { vendorId, orderGlobalId, lines, history } = item;
  const vendor = vendorId === null ? null : await read<Vendor>(`/operator/v1/vendors/${vendorId}`);
  const title = item.returnRequestNumber ?? item.id;
  const forms = formsOf(visit, item);
  const rows = lines.map((each) => [
    code(each.sku),
    each.quantity,
    returns.reasons[each.reasonCode],
  ]);
  const events = history.toReversed().map(({ at, to, reason }) => {
    const status = texts.statuses[to as keyof typeof texts.statuses];
    return [html`${status} ${reason !== null && html`<br />${own(reason)}`}`, at] as const;
  });
  return {
    title,
    above: html`${statusOf(visit, item)}
    ${item.status === 'UnderInspection' && deadlineOf(visit, item)}`,
    heading: own(title),
    beside: muted(
      html`${texts.orders.order} ${link(`/console/orders/${orderGlobalId}`, code(orderGlobalId))} ·
      ${auditLink(visit, item.id)} · ${outerLink(item.workflow.runsUrl, texts.decision.run)}`,
    ),
    notice,
    content: html`${section(
      returns.lines,
      rowsTable(['SKU', [returns.quantity], texts.reason], rows, texts.none),
    )}
    ${evidenceCard(visit, item)} ${card(returns.history, timeline(visit, events))}`,
    aside: html`${factsCard(visit, item)} ${vendor && earlierCard(visit, item, vendor)}`,
    ...(forms.length > 0 && { actions: forms }),
  };
};

/** Links that open apart; the page loads nothing of a vendor's. The API stores only https. */
function evidenceCard({ texts: { returns }, instant }: Visit, { inspection }: ReturnDetail): Html {
  const items = inspection.evidence.map(
    ({ url, kind, uploadedAt }) =>
      html`<li>
        ${returns.evidenceKinds[kind]} ${outerLink(url, own(url))} ${muted(instant(uploadedAt))}
      </li>`,
  );
  const none = html`<p class="muted">${returns.noEvidence}</p>`;
  return card(
    returns.evidence,
    items.length === 0
      ? none
      : html`<ul class="plain">
          ${items}
        </ul>`,
  );
}

function factsCard({ texts, instant }: Visit, item: ReturnDetail): Html {
  const { returns, none } = texts;
  const { inspection, decision } = item;
  const decidedBy = decision === 'Silence' ? returns.bySilence : item.decidedBy;
  const named = (outcome: typeof inspection.outcome) =>
    outcome === null ? none : returns.outcomeNames[outcome];
  return card(
    returns.facts,
    facts([
      [returns.destination, returns.destinations[item.destination]],
      [returns.requested, instant(item.requestedAt)],
      [returns.received, instant(item.receivedAt)],
      [returns.started, instant(item.inspectionStartedAt)],
      [returns.deadline, instant(inspection.inspectionWindowDeadline)],
      [returns.proposal, named(inspection.supplierProposedOutcome)],
      [returns.outcome, named(inspection.outcome)],
      [returns.decidedBy, own(decidedBy ?? none)],
    ]),
  );
}

/** The vendor, and what became of its earlier returns. */
const earlierCard = (
  { texts: { returns, vendor } }: Visit,
  { earlierReturns: earlier }: ReturnDetail,
  { name }: Vendor,
): Html =>
  card(
    vendor,
    html`<b>${own(name)}</b> ${
        earlier &&
        facts([
          [returns.earlier, earlier.returns],
          [returns.outcomeNames.AcceptedDefect, earlier.acceptedDefect],
          [returns.outcomeNames.AcceptedSound, earlier.acceptedSound],
          [returns.outcomeNames.Rejected, earlier.rejected],
          [returns.bySilence, earlier.decidedBySilence],
        ])
      }`,
  );

/** The outcomes under inspection, else the moves; only those that the status allows. */
function formsOf({ texts: { returns }, may }: Visit, item: ReturnDetail): readonly Html[] {
  const { id, status, destination } = item;
  if (!may('Operations')) return [];
  const form = { reason: returns.staffReason, isRequired: false } as const;
  if (status === 'UnderInspection')
    return inspectionOutcomes.map((outcome, index) =>
      reasonForm({
        ...form,
        action: `/console/returns/${id}/decide`,
        fields: hiddenFields({ outcome }),
        button: returns.outcomes[outcome],
        key: String(index + 1),
        isDanger: outcome === 'Rejected',
      }),
    );
  const allowed: readonly Move[] =
    status in movesFrom ? movesFrom[status as keyof typeof movesFrom] : [];
  return (
    allowed
      // The vendor itself confirms the receipt of what goes to it.
      .filter((move) => move !== 'received' || destination === 'SortingPoint')
      .map((move) =>
        reasonForm({
          ...form,
          action: `/console/returns/${id}/${move}`,
          button: returns.moves[move],
          isDanger: move === 'reject',
        }),
      )
  );
}

/** Sends one move or the decision, and shows the return as it is then. */
const act =
  (move: Move | 'decide'): Act =>
  async (visit) => {
    const { value, send, read, texts, id } = visit;
    const reason = value('reason') || null;
    const body = move === 'decide' ? { outcome: value('outcome'), reason } : { reason };
    try {
      await send(`${pathOf(visit)}/${move}`, body);
    } catch (error) {
      if (!(error instanceof Refusal) || ![409, 422, 504].includes(error.status)) throw error;
      const { status } = error;
      const { changed, timeout } = texts.returns;
      const item = status === 504 ? await read<ReturnDetail>(pathOf(visit)) : null;
      if (item === null || item.status === 'UnderInspection' || item.status === 'Received') {
        const notice = failureNote(status === 504 ? timeout : changed);
        return { ...(await showReturn(visit, notice)), status };
      }
    }
    return { next: `/console/returns/${id}` };
  };

export const inspectionPages: AddPages = ({ show, submit }) => {
  show('/console/returns/:id', showReturn);
  for (const move of [...moves, 'decide'] as const)
    submit(`/console/returns/:id/${move}`, act(move), showReturn);
};
