import { inspectionOutcomes, returnStatuses } from '../../domain/returns/return-status.ts';
import { auditLink } from '../audit/audit.ts';
import { html, type Html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { Return, ReturnDetail, Vendor } from '../http/api-types.ts';
import { Refusal } from '../http/gateway-calls.ts';
import type { Act, AddPages, Page, ShowPage, Visit } from '../http/visit.ts';
import { readVendors } from '../vendors/vendor-names.ts';

const urgentMs = 6 * 3_600_000;

/** The status of a return; under inspection with a mark if staff must decide. */
export function statusOf({ texts }: Visit, { status, inspection }: Return): Html {
  const isForStaff = status === 'UnderInspection' && inspection.requiresStaffReview;
  return html`${texts.statuses[status]} ${isForStaff && ui.chip(texts.returns.staff, 'warn')}`;
}

/** The time until the deadline of an inspection, and what silence decides then. */
function deadlineOf({ texts, language, instant }: Visit, item: Return): Html {
  const { returns, none } = texts;
  const { silenceOutcome, silenceAt, inspection, status } = item;
  if (status !== 'UnderInspection') return html`${none}`;
  const { inspectionWindowDeadline: deadline } = inspection;
  const leftMs = deadline === null ? null : Date.parse(deadline) - Date.now();
  const left =
    leftMs !== null &&
    ui.chip(returns.left(ui.span(leftMs, language)), leftMs < urgentMs ? 'warn' : '');
  return html`${leftMs !== null && leftMs <= 0 ? ui.chip(returns.passed, 'bad') : left}
  ${ui.muted(
    silenceOutcome === null || silenceAt === null
      ? returns.noSilence
      : html`${returns.silence} <b>${returns.outcomeNames[silenceOutcome]}</b>,
          ${instant(silenceAt)}`,
  )}`;
}

/** Every return, the soonest deadline first. */
async function showReturns(visit: Visit): Promise<Page> {
  const { texts, instant } = visit;
  const { returns } = texts;
  const list = await ui.readList<Return>(visit, '/operator/v1/returns', {
    status: visit.choice('status', returnStatuses),
    requiresStaffReview: visit.choice('requiresStaffReview', ['true']),
  });
  const ids = list.items.map(({ vendorId }) => vendorId);
  const { nameOf } = await readVendors(visit, ids);
  return ui.listPage(visit, list, {
    title: returns.title,
    fields: [
      ui.choiceField(visit, texts.status, 'status', ui.named(returnStatuses, texts.statuses)),
      ui.checkField(visit, returns.forStaff, 'requiresStaffReview', 'true'),
    ],
    columns: [
      returns.number,
      texts.status,
      texts.vendor,
      returns.deadline,
      returns.destination,
      texts.reason,
      returns.proposal,
    ],
    row: (item) => {
      const { id, returnRequestNumber: number, requestedAt, lines, destination } = item;
      const { supplierProposedOutcome: proposal } = item.inspection;
      const reasons = new Set(lines.map(({ reasonCode }) => returns.reasons[reasonCode]));
      return [
        html`${ui.link(`/console/returns/${id}`, ui.own(number ?? id))}
        ${ui.muted(instant(requestedAt))}`,
        statusOf(visit, item),
        nameOf(item.vendorId),
        deadlineOf(visit, item),
        returns.destinations[destination],
        [...reasons].join(', '),
        proposal === null ? texts.none : returns.outcomeNames[proposal],
      ];
    },
  });
}

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
    ui.code(each.sku),
    each.quantity,
    returns.reasons[each.reasonCode],
  ]);
  const events = history.toReversed().map(({ at, to, reason }) => {
    const status = texts.statuses[to as keyof typeof texts.statuses];
    return [html`${status} ${reason !== null && html`<br />${ui.own(reason)}`}`, at] as const;
  });
  return {
    title,
    above: html`${statusOf(visit, item)}
    ${item.status === 'UnderInspection' && deadlineOf(visit, item)}`,
    heading: ui.own(title),
    beside: ui.muted(
      html`${texts.orders.order}
      ${ui.link(`/console/orders/${orderGlobalId}`, ui.code(orderGlobalId))} ·
      ${auditLink(visit, item.id)} · ${ui.outerLink(item.workflow.runsUrl, texts.decision.run)}`,
    ),
    notice,
    content: html`${ui.section(
      returns.lines,
      ui.rowsTable(['SKU', [returns.quantity], texts.reason], rows, texts.none),
    )}
    ${evidenceCard(visit, item)} ${ui.card(returns.history, ui.timeline(visit, events))}`,
    aside: html`${factsCard(visit, item)} ${vendor && earlierCard(visit, item, vendor)}`,
    ...(forms.length > 0 && { actions: forms }),
  };
};

/** Links that open apart; the page loads nothing of a vendor's. The API stores only https. */
function evidenceCard({ texts: { returns }, instant }: Visit, { inspection }: ReturnDetail): Html {
  const items = inspection.evidence.map(
    ({ url, kind, uploadedAt }) =>
      html`<li>
        ${returns.evidenceKinds[kind]} ${ui.outerLink(url, ui.own(url))}
        ${ui.muted(instant(uploadedAt))}
      </li>`,
  );
  const none = html`<p class="muted">${returns.noEvidence}</p>`;
  return ui.card(
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
  return ui.card(
    returns.facts,
    ui.facts([
      [returns.destination, returns.destinations[item.destination]],
      [returns.requested, instant(item.requestedAt)],
      [returns.received, instant(item.receivedAt)],
      [returns.started, instant(item.inspectionStartedAt)],
      [returns.deadline, instant(inspection.inspectionWindowDeadline)],
      [returns.proposal, named(inspection.supplierProposedOutcome)],
      [returns.outcome, named(inspection.outcome)],
      [returns.decidedBy, ui.own(decidedBy ?? none)],
    ]),
  );
}

/** The vendor, and what became of its earlier returns. */
function earlierCard({ texts }: Visit, { earlierReturns: earlier }: ReturnDetail, vendor: Vendor) {
  const { bySilence, outcomeNames, earlier: label } = texts.returns;
  const rows = earlier && [
    [label, earlier.returns] as const,
    [outcomeNames.AcceptedDefect, earlier.acceptedDefect] as const,
    [outcomeNames.AcceptedSound, earlier.acceptedSound] as const,
    [outcomeNames.Rejected, earlier.rejected] as const,
    [bySilence, earlier.decidedBySilence] as const,
  ];
  return ui.card(texts.vendor, html`<b>${ui.own(vendor.name)}</b> ${rows && ui.facts(rows)}`);
}

/** The outcomes under inspection, else the moves; only those that the status allows. */
function formsOf({ texts: { returns }, may }: Visit, item: ReturnDetail): readonly Html[] {
  const { id, status, destination } = item;
  if (!may('Operations')) return [];
  const form = { reason: returns.staffReason, isRequired: false } as const;
  if (status === 'UnderInspection')
    return inspectionOutcomes.map((outcome, index) =>
      ui.reasonForm({
        ...form,
        action: `/console/returns/${id}/decide`,
        fields: ui.hiddenFields({ outcome }),
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
        ui.reasonForm({
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
        const notice = ui.failureNote(status === 504 ? timeout : changed);
        return { ...(await showReturn(visit, notice)), status };
      }
    }
    return { next: `/console/returns/${id}` };
  };

export const returnPages: AddPages = ({ live, show, submit }) => {
  live('/console/returns', showReturns);
  show('/console/returns/:id', showReturn);
  for (const move of [...moves, 'decide'] as const)
    submit(`/console/returns/:id/${move}`, act(move), showReturn);
};
