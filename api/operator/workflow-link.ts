import * as v from 'valibot';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';

const workflowLinkResponse = v.object({
  workflowId: described(v.string(), "The workflow's id in Temporal."),
  url: described(v.string(), "The workflow's history in the Temporal UI."),
});

export function workflowLink(
  workflowId: string,
  { baseUrl, namespace }: Dependencies['temporalUi'],
): v.InferInput<typeof workflowLinkResponse> {
  const [inNamespace, id] = [namespace, workflowId].map(encodeURIComponent);
  const path = `/namespaces/${inNamespace}/workflows/${id}`;
  return { workflowId, url: baseUrl.replace(/\/$/, '') + path };
}

/** The field of a response that links to a workflow's history in the Temporal UI. */
export const workflowLinkTo = (subject: string, workflowId: string) =>
  described(
    workflowLinkResponse,
    `A link to the history of ${subject}.`,
    workflowLink(workflowId, { baseUrl: 'http://127.0.0.1:8233', namespace: 'default' }),
  );
