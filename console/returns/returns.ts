import { returnStatuses } from '../../domain/returns/return-status.ts';
import type { Return } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { span } from '../html/formats.ts';
import { named } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';
import { checkField, choiceField, listPage, readList } from '../html/list.ts';
import { chip, link, muted, own } from '../html/parts.ts';
import { readVendors } from '../vendors/vendor-names.ts';

const urgentMs = 6 * 3_600_000;

/** The status of a return; under inspection with a mark if staff must decide. */
export function statusOf({ texts }: Visit, { status, inspection }: Return): Html {
  const isForStaff = status === 'UnderInspection' && inspection.requiresStaffReview;
  return html`${texts.statuses[status]} ${isForStaff && chip(texts.returns.staff, 'warn')}`;
}

/** The time until the deadline of an inspection, and what silence decides then. */
export function deadlineOf({ texts, language, instant }: Visit, item: Return): Html {
  const { returns, none } = texts;
  const { silenceOutcome, silenceAt, inspection, status } = item;
  if (status !== 'UnderInspection') return html`${none}`;
  const { inspectionWindowDeadline: deadline } = inspection;
  const leftMs = deadline === null ? null : Date.parse(deadline) - Date.now();
  const left =
    leftMs !== null && chip(returns.left(span(leftMs, language)), leftMs < urgentMs ? 'warn' : '');
  return html`${leftMs !== null && leftMs <= 0 ? chip(returns.passed, 'bad') : left}
  ${muted(
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
  const list = await readList<Return>(visit, '/operator/v1/returns', {
    status: visit.choice('status', returnStatuses),
    requiresStaffReview: visit.choice('requiresStaffReview', ['true']),
  });
  const ids = list.items.map(({ vendorId }) => vendorId);
  const { nameOf } = await readVendors(visit, ids);
  return listPage(visit, list, {
    title: returns.title,
    fields: [
      choiceField(visit, texts.status, 'status', named(returnStatuses, texts.statuses)),
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
    row: (item) => {
      const { id, returnRequestNumber: number, requestedAt, lines, destination } = item;
      const { supplierProposedOutcome: proposal } = item.inspection;
      const reasons = new Set(lines.map(({ reasonCode }) => returns.reasons[reasonCode]));
      return [
        html`${link(`/console/returns/${id}`, own(number ?? id))} ${muted(instant(requestedAt))}`,
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

export const returnsPage: AddPages = ({ live }) => live('/console/returns', showReturns);
