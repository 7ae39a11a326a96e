import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { apiPath, html, orNull, ui } from '../page.ts';
import type { AddPages, api, Html, Page, Part, Visit } from '../page.ts';
import { auditActions } from '../texts/codes.ts';

/** The page of a subject, the role that may open it, and the list of the API that has it. */
const pageOf: Readonly<Record<string, readonly [page: string, OperatorRole | null, string?]>> = {
  order: ['orders/ord_', 'Operations', 'orders'],
  offer: ['offers/', 'Reviewer', 'offers'],
  return: ['returns/', 'Operations', 'returns'],
  delivery: ['webhooks/deliveries/', 'Operations', 'webhook-deliveries'],
  subscription: ['webhooks/deliveries?subscriptionId=', 'Operations'],
  vendor: ['vendors/', null, 'vendors'],
  variant: ['catalogue/', null, 'variants'],
  reviewJob: ['review-jobs/', null, 'review-jobs'],
};

/** The id of a subject, which leads to its page if there is one that the operator may open. */
export function subjectLink({ may }: Visit, subjectType: string, subjectId: string): Html {
  const [page, role = null] = pageOf[subjectType] ?? [];
  const isOpen = page !== undefined && (role === null || may(role));
  return isOpen ? ui.link(`/console/${page}${subjectId}`, ui.code(subjectId)) : ui.code(subjectId);
}

/** The page of what has an id, if the operator may see it; null for an unknown id. */
export async function pathOfId({ read, may }: Visit, given: string): Promise<string | null> {
  const id = given.replace(/^ord_/i, '');
  for (const [page, role, list] of Object.values(pageOf)) {
    if (list === undefined || (role !== null && !may(role))) continue;
    const named = list === 'orders' ? `ord_${id}` : id;
    const found = await orNull(read(apiPath`${apiPath`/operator/v1`.below(list)}/${named}`));
    if (found !== null) return `/console/${page}${id}`;
  }
  return null;
}

export const auditLink = ({ texts }: Visit, subjectId: string): Html =>
  ui.link(ui.withQuery('/console/audit', { subjectId }), texts.audit.title);
export const operatorAuditLink = (operatorId: string, text: Part): Html =>
  ui.link(ui.withQuery('/console/audit', { operatorId }), text);

/** The audit log: of a subject for every role, and of an operator for Admins. */
async function showAudit(visit: Visit): Promise<Page> {
  const { texts, value, digits, may, instant } = visit;
  const { audit, subject, operator } = texts;
  const list = await ui.readFiltered<api.AuditEntry>(visit, apiPath`/operator/v1/audit`, {
    subjectId: digits('subjectId').replace(/^ord_/i, ''),
    operatorId: value('operatorId'),
    action: value('action'),
    ...ui.askedDays(visit),
  });
  return ui.listPage(visit, list, {
    title: audit.title,
    fields: [
      ui.searchField(visit, subject, 'subjectId'),
      may('Admin') && ui.searchField(visit, operator, 'operatorId', ''),
      ui.choiceField(
        visit,
        audit.action,
        'action',
        Object.keys(auditActions).map((code) => [code, texts.codes.auditAction(code)] as const),
      ),
      ui.dayFields(ui.inFilter(visit)),
    ],
    columns: [audit.action, operator, subject, audit.changes],
    row: (entry) => [
      html`${texts.codes.auditAction(entry.action)} ${ui.muted(ui.code(entry.action))}
      ${ui.muted(instant(entry.at))} ${ui.muted(ui.code(entry.requestId))}`,
      actorOf(visit, entry),
      subjectLink(visit, entry.subjectType, entry.subjectId),
      changesOf(visit, entry),
    ],
  });
}

function actorOf({ texts, may }: Visit, { operatorId, credentialId }: api.AuditEntry): Part {
  if (credentialId !== null) return html`${texts.vendor} ${ui.code(credentialId)}`;
  if (operatorId === null) return texts.audit.command;
  return may('Admin') ? operatorAuditLink(operatorId, ui.own(operatorId)) : ui.own(operatorId);
}

const textOf = (state: api.AuditEntry['before'], name: string): string => {
  const field = state?.[name] ?? null;
  return typeof field === 'string' ? field : JSON.stringify(field);
};

/** The fields that differ between the state before and after; all of them if there is only one. */
function changesOf({ texts }: Visit, { before, after }: api.AuditEntry): Html {
  const changed = Object.keys({ ...before, ...after })
    .map((name) => [name, textOf(before, name), textOf(after, name)] as const)
    .filter(([, was, is]) => was !== is);
  const rows = changed.map(
    ([name, was, is]) =>
      [
        ui.code(name),
        before === null ? ui.own(is) : html`<bdi dir="ltr">${ui.own(was)} → ${ui.own(is)}</bdi>`,
      ] as const,
  );
  return html`<details>
    <summary>${texts.audit.fields(changed.length)}</summary>
    ${ui.facts(rows)}
  </details>`;
}

export const auditPage: AddPages = ({ show }) => show('/console/audit', showAudit);
