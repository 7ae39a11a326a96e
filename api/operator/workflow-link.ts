import type * as v from 'valibot';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';
import { field, orNull, titled } from '../validation/response-parts.ts';

const workflowLinkResponse = titled('WorkflowLink', {
  workflowId: field.text("The workflow's id in Temporal."),
  url: field.text('Its latest run in the Temporal UI.'),
  runsUrl: field.text('All its runs, also those before a redelivery.'),
});

/** The links to a workflow's latest run and to all its runs in the Temporal UI. */
export function workflowLink(
  workflowId: string,
  { baseUrl, namespace }: Dependencies['temporalUi'],
): v.InferInput<typeof workflowLinkResponse> {
  const [inNamespace, id] = [namespace, workflowId].map(encodeURIComponent);
  const workflows = `${baseUrl.replace(/\/$/, '')}/namespaces/${inNamespace}/workflows`;
  const query = encodeURIComponent(`WorkflowId="${workflowId}"`);
  return { workflowId, url: `${workflows}/${id}`, runsUrl: `${workflows}?query=${query}` };
}

const textOf = (subject: string): string => `Links to the runs of ${subject}.`;
const exampleOf = (workflowId: string) =>
  workflowLink(workflowId, { baseUrl: 'http://127.0.0.1:8233', namespace: 'default' });

/** The field of a response that links to a workflow's history in the Temporal UI. */
export const workflowLinkTo = (subject: string, workflowId: string) =>
  described(workflowLinkResponse, textOf(subject), exampleOf(workflowId));

/** The same field where there may be no workflow. */
export const workflowLinkOrNullTo = (subject: string, workflowId: string) =>
  orNull(workflowLinkResponse, textOf(subject), exampleOf(workflowId));
