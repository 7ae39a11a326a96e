import { withQuery } from '../http/gateway-calls.ts';
import type { Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';

/** A link to the audit entries of a subject. */
export const auditLink = ({ texts }: Visit, subjectId: string): Html =>
  html`<a href="${withQuery('/console/audit', { subjectId })}">${texts.audit.title}</a>`;
