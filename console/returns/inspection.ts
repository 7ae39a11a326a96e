import { inspectionOutcomes } from '../../domain/returns/return-status.ts';
import type { ReturnDetail, Vendor } from '../http/api-types.ts';
import { Refusal } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { auditLink } from '../audit/audit-link.ts';
import { card, facts, failureNote, reasonForm } from '../html/parts.ts';
import { silenceOf, timeLeft } from './returns.ts';

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

const pathOf = (id: string): string => `/operator/v1/returns/${encodeURIComponent(id)}`;

/** One return: what came back, why, the evidence, the proposal, and what staff may do. */
async function showReturn(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, read, value } = visit;
  const { returns } = texts;
  const item = await read<ReturnDetail>(pathOf(value('id')));
  const { vendorId } = item;
  const vendor = vendorId === null ? null : await read<Vendor>(`/operator/v1/vendors/${vendorId}`);
  const title = item.returnRequestNumber ?? item.id;
  const isOpen = item.status === 'UnderInspection';
  return {
    title,
    body: html`${notice}
      <div class="head">
        <div>
          <div class="muted">
            ${texts.statuses[item.status]}
            ${isOpen && timeLeft(visit, item.inspection.inspectionWindowDeadline)}
            ${
              isOpen &&
              item.inspection.requiresStaffReview &&
              html`<span class="chip warn">${returns.staff}</span>`
            }
          </div>
          <h1><bdi>${title}</bdi></h1>
          ${isOpen && html`<p>${silenceOf(visit, item)}</p>`}
        </div>
        <div class="muted">
          ${returns.order}
          <a href="/console/orders/${item.orderGlobalId}">
            <bdi class="id">${item.orderGlobalId}</bdi>
          </a>
          · ${auditLink(visit, item.id)} ·
          <a href="${item.workflow.runsUrl}" rel="noreferrer noopener" target="_blank">
            ${texts.decision.run}
          </a>
        </div>
      </div>
      <div class="decide">
        <div class="stack">
          ${linesCard(visit, item)} ${evidenceCard(visit, item)} ${historyCard(visit, item)}
        </div>
        <aside class="stack">
          ${factsCard(visit, item)} ${vendor && earlierCard(visit, item, vendor)}
        </aside>
      </div>
      ${actionBar(visit, item)}`,
  };
}

const linesCard = ({ texts: { returns, reason } }: Visit, { lines }: ReturnDetail): Html =>
  card(
    returns.lines,
    html`<table>
      <thead>
        <tr>
          <th>SKU</th>
          <th class="num">${returns.quantity}</th>
          <th>${reason}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ sku, quantity, reasonCode }) =>
            html`<tr>
              <td><bdi class="id">${sku}</bdi></td>
              <td class="num">${quantity}</td>
              <td>${returns.reasons[reasonCode]}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );

/** Links that open apart; the page loads nothing of a vendor's. The API stores only https. */
const evidenceCard = (
  { texts: { returns }, language }: Visit,
  { inspection: { evidence } }: ReturnDetail,
): Html =>
  card(
    returns.evidence,
    evidence.length === 0
      ? html`<p class="muted">${returns.noEvidence}</p>`
      : html`<ul class="plain">
          ${evidence.map(
            ({ url, kind, uploadedAt }) =>
              html`<li>
                ${returns.evidenceKinds[kind]}
                <a href="${url}" rel="noreferrer noopener" target="_blank"><bdi>${url}</bdi></a>
                <span class="muted">${instant(uploadedAt, language)}</span>
              </li>`,
          )}
        </ul>`,
  );

function factsCard({ texts, language }: Visit, item: ReturnDetail): Html {
  const { returns, none } = texts;
  const { inspection, decision } = item;
  const decidedBy = decision === 'Silence' ? returns.bySilence : item.decidedBy;
  const at = (iso: string | null) => instant(iso, language);
  const named = (outcome: typeof inspection.outcome) =>
    outcome === null ? none : returns.outcomeNames[outcome];
  return card(
    returns.facts,
    facts([
      [returns.destination, returns.destinations[item.destination]],
      [returns.requested, at(item.requestedAt)],
      [returns.received, at(item.receivedAt)],
      [returns.started, at(item.inspectionStartedAt)],
      [returns.deadline, at(inspection.inspectionWindowDeadline)],
      [returns.proposal, named(inspection.supplierProposedOutcome)],
      [returns.outcome, named(inspection.outcome)],
      [returns.decidedBy, html`<bdi>${decidedBy ?? none}</bdi>`],
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
    html`<b><bdi>${name}</bdi></b> ${
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

const historyCard = ({ texts, language }: Visit, { history }: ReturnDetail): Html =>
  card(
    texts.returns.history,
    html`<ol class="timeline">
      ${history.toReversed().map(
        ({ at, to, reason }) =>
          html`<li>
            ${texts.statuses[to as keyof typeof texts.statuses]}
            ${reason !== null && html`<br /><bdi>${reason}</bdi>`}
            <div class="muted">${instant(at, language)}</div>
          </li>`,
      )}
    </ol>`,
  );

/** The outcomes under inspection, else the moves; only those that the status allows. */
function actionBar({ texts, may }: Visit, item: ReturnDetail): Html | null {
  const { returns } = texts;
  const form = {
    reasonLabel: returns.staffReason,
    isRequired: false,
  } as const;
  const path = `/console/returns/${item.id}`;
  const allowed: readonly (keyof typeof returns.moves)[] =
    item.status in movesFrom ? movesFrom[item.status as keyof typeof movesFrom] : [];
  // The vendor itself confirms the receipt of what goes to it.
  const shown = allowed.filter(
    (move) => move !== 'received' || item.destination === 'SortingPoint',
  );
  const forms =
    item.status === 'UnderInspection'
      ? inspectionOutcomes.map((outcome, index) =>
          reasonForm({
            ...form,
            action: `${path}/decide`,
            fields: html`<input type="hidden" name="outcome" value="${outcome}" />`,
            label: returns.outcomes[outcome],
            button: returns.outcomes[outcome],
            key: String(index + 1),
            isDanger: outcome === 'Rejected',
          }),
        )
      : shown.map((move) =>
          reasonForm({
            ...form,
            action: `${path}/${move}`,
            fields: html``,
            label: returns.moves[move],
            button: returns.moves[move],
            isDanger: move === 'reject',
          }),
        );
  if (forms.length === 0 || !may('Operations')) return null;
  return html`<div class="actions" role="group">
    <div class="subject"><bdi>${item.returnRequestNumber ?? item.id}</bdi></div>
    ${forms}
  </div>`;
}

/** Sends one move or the decision, and shows the return as it is then. */
const act =
  (move: string) =>
  async (visit: Visit): Promise<Page | Next> => {
    const { value, send, read, texts } = visit;
    const id = value('id');
    const reason = value('reason') || null;
    const body = move === 'decide' ? { outcome: value('outcome'), reason } : { reason };
    try {
      await send(`${pathOf(id)}/${move}`, body);
    } catch (error) {
      if (!(error instanceof Refusal) || ![409, 422, 504].includes(error.status)) throw error;
      const { status } = error;
      const item = status === 504 ? await read<ReturnDetail>(pathOf(id)) : null;
      if (item === null || item.status === 'UnderInspection' || item.status === 'Received') {
        const { changed, timeout } = texts.returns;
        const text = status === 504 ? timeout : changed;
        return { ...(await showReturn(visit, failureNote(text))), status };
      }
    }
    return { next: `/console/returns/${encodeURIComponent(id)}` };
  };

export const inspectionPages: AddPages = ({ show, submit }) => {
  show('/console/returns/:id', showReturn);
  for (const move of [...moves, 'decide']) submit(`/console/returns/:id/${move}`, act(move));
};
