import { returnStatuses } from '../../domain/returns/return-status.ts';
import type { Return } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import { readVendors } from '../http/read-vendors.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant, span } from '../html/formats.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { checkField, choiceField, listPage, readList } from '../html/list.ts';

const urgentMs = 6 * 3_600_000;

/** The time until a deadline, marked when it is short; null without a deadline. */
export function timeLeft({ texts, language }: Visit, deadline: string | null): Html | null {
  if (deadline === null) return null;
  const leftMs = Date.parse(deadline) - Date.now();
  if (leftMs <= 0) return html`<span class="chip bad">${texts.returns.passed}</span>`;
  const mark = leftMs < urgentMs ? 'warn' : '';
  return html`<span class="chip ${mark}">${texts.returns.left(span(leftMs, language))}</span>`;
}

/** What silence decides under inspection, and when; that it decides nothing, else. */
export const silenceOf = (
  { texts: { returns }, language }: Visit,
  { silenceOutcome, silenceAt }: Pick<Return, 'silenceOutcome' | 'silenceAt'>,
): Html =>
  silenceOutcome === null || silenceAt === null
    ? html`${returns.noSilence}`
    : html`${returns.silence} <b>${returns.outcomeNames[silenceOutcome]}</b>,
        ${instant(silenceAt, language)}`;

/** Every return, the soonest deadline first. */
async function showReturns(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { returns } = texts;
  const filter = {
    status: returnStatuses.find((status) => status === value('status')) ?? '',
    requiresStaffReview: value('requiresStaffReview') === 'true' ? 'true' : '',
  };
  const statuses = returnStatuses.map((status) => [status, texts.statuses[status]] as const);
  const found = await readList<Return>(visit, '/operator/v1/returns', filter);
  const vendors = await readVendors(
    visit,
    found.items.map(({ vendorId }) => vendorId),
  );
  return listPage(visit, found, {
    title: returns.title,
    path: '/console/returns',
    filter,
    fields: [
      choiceField(visit, texts.status, 'status', statuses),
      checkField(visit, returns.forStaff, 'requiresStaffReview', 'true'),
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
    row: (item) => row(visit, item, vendors.get(item.vendorId ?? '')?.name ?? texts.none),
    empty: returns.empty,
  });
}

function row(visit: Visit, item: Return, vendor: string): readonly Part[] {
  const { texts, language } = visit;
  const { returns } = texts;
  const { inspectionWindowDeadline, supplierProposedOutcome, requiresStaffReview } =
    item.inspection;
  const isOpen = item.status === 'UnderInspection';
  return [
    html`<a href="/console/returns/${item.id}"><bdi>${item.returnRequestNumber ?? item.id}</bdi></a>
      <div class="muted">${instant(item.requestedAt, language)}</div>`,
    html`${texts.statuses[item.status]}
    ${isOpen && requiresStaffReview && html`<span class="chip warn">${returns.staff}</span>`}`,
    html`<bdi>${vendor}</bdi>`,
    isOpen
      ? html`${timeLeft(visit, inspectionWindowDeadline)}
          <div class="muted">${silenceOf(visit, item)}</div>`
      : texts.none,
    returns.destinations[item.destination],
    reasonsOf(item, visit),
    supplierProposedOutcome === null ? texts.none : returns.outcomeNames[supplierProposedOutcome],
  ];
}

/** The customer's reasons for the lines, each once. */
const reasonsOf = ({ lines }: Return, { texts }: Visit): string =>
  [...new Set(lines.map(({ reasonCode }) => texts.returns.reasons[reasonCode]))].join(', ');

export const returnsPage: AddPages = ({ live }) => live('/console/returns', showReturns);
