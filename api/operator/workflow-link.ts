import * as v from 'valibot';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';

const workflowLinkResponse = v.object({
  workflowId: described(v.string(), "The workflow's id in Temporal."),
  url: described(v.string(), 'The history of its latest run in the Temporal UI.'),
  runsUrl: described(
    v.string(),
    'The list of all its runs in the Temporal UI. A run shows only its own part: the attempts ' +
      'before a redelivery, and the earlier reviews of an offer, are in earlier runs.',
  ),
});

/** The links to a workflow's latest run and to all its runs in the Temporal UI. */
export function workflowLink(
  workflowId: string,
  { baseUrl, namespace }: Dependencies['temporalUi'],
): v.InferInput<typeof workflowLinkResponse> {
  const [inNamespace, id] = [namespace, workflowId].map(encodeURIComponent);
  const workflows = `${baseUrl.replace(/\/$/, '')}/namespaces/${inNamespace}/workflows`;
  const query = encodeURIComponent(`WorkflowId = "${workflowId}"`);
  return { workflowId, url: `${workflows}/${id}`, runsUrl: `${workflows}?query=${query}` };
}

/** The field of a response that links to a workflow's history in the Temporal UI. */
export const workflowLinkTo = (subject: string, workflowId: string) =>
  described(
    workflowLinkResponse,
    `A link to the history of ${subject}.`,
    workflowLink(workflowId, { baseUrl: 'http://127.0.0.1:8233', namespace: 'default' }),
  );
