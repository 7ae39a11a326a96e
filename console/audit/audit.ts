import type { AuditEntry } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { subjectLink } from './audit-link.ts';
import { listPage, readList, searchField } from '../html/list.ts';

/** The audit log: of a subject for every role, and of an operator for Admins. */
async function showAudit(visit: Visit): Promise<Page> {
  const { texts, value, may, language } = visit;
  const { audit } = texts;
  const isAdmin = may('Admin');
  const filter = {
    subjectId: value('subjectId').replace(/^ord_/, ''),
    operatorId: value('operatorId'),
  };
  const list = await readList<AuditEntry>(visit, '/operator/v1/audit', filter);
  return listPage(visit, list, {
    title: audit.title,
    path: '/console/audit',
    filter,
    fields: [
      searchField(visit, audit.subject, 'subjectId'),
      ...(isAdmin ? [searchField(visit, audit.actor, 'operatorId', '')] : []),
    ],
    columns: [audit.action, audit.actor, audit.subject, audit.changes],
    row: (entry) => [
      html`<bdi class="id">${entry.action}</bdi>
        <div class="muted">${instant(entry.at, language)}</div>
        <div class="muted"><bdi class="id">${entry.requestId}</bdi></div>`,
      actorOf(visit, entry),
      subjectLink(entry.subjectType, entry.subjectId),
      changesOf(visit, entry),
    ],
    empty: audit.empty,
  });
}

function actorOf({ texts: { audit, vendor }, may }: Visit, entry: AuditEntry): Part {
  const { operatorId, credentialId } = entry;
  if (credentialId !== null) return html`${vendor} <bdi class="id">${credentialId}</bdi>`;
  if (operatorId === null) return audit.command;
  return may('Admin')
    ? html`<a href="${withQuery('/console/audit', { operatorId })}">
        <bdi>${operatorId}</bdi>
      </a>`
    : html`<bdi>${operatorId}</bdi>`;
}

const textOf = (state: AuditEntry['before'], name: string): string => {
  const field = state?.[name] ?? null;
  return typeof field === 'string' ? field : JSON.stringify(field);
};

/** The fields that differ between the state before and after; all of them if there is only one. */
function changesOf({ texts }: Visit, { before, after }: AuditEntry): Html {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names
    .map((name) => [name, textOf(before, name), textOf(after, name)] as const)
    .filter(([, was, is]) => was !== is);
  return html`<details>
    <summary>${texts.audit.fields(changed.length)}</summary>
    <dl>
      ${changed.map(
        ([name, was, is]) =>
          html`<dt><bdi class="id">${name}</bdi></dt>
            <dd><bdi>${before !== null && html`${was} → `}${is}</bdi></dd>`,
      )}
    </dl>
  </details>`;
}

export const auditPage: AddPages = ({ show }) => show('/console/audit', showAudit);
