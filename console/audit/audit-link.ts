import { withQuery } from '../http/gateway-calls.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';

/** The pages of subjects, by the type of the subject. */
const pageOf: Readonly<Record<string, string>> = {
  offer: '/console/offers/',
  return: '/console/returns/',
  order: '/console/orders/ord_',
  variant: '/console/catalogue/',
  vendor: '/console/vendors/',
};

/** The id of a subject, which leads to its page if there is one. */
export function subjectLink(subjectType: string, subjectId: string): Html {
  const id = html`<bdi class="id">${subjectId}</bdi>`;
  const { [subjectType]: page } = pageOf;
  return page === undefined ? id : html`<a href="${page}${subjectId}">${id}</a>`;
}

/** A link to the audit entries of a subject. */
export const auditLink = ({ texts }: Visit, subjectId: string): Html =>
  html`<a href="${withQuery('/console/audit', { subjectId })}">${texts.audit.title}</a>`;
