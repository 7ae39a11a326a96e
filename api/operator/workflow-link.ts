import * as v from 'valibot';
import type { Dependencies } from '../dependencies.ts';

/** A link to a run's history in the Temporal UI. */
export const workflowLinkResponse = v.object({ workflowId: v.string(), url: v.string() });

export function workflowLink(
  workflowId: string,
  { baseUrl, namespace }: Dependencies['temporalUi'],
): v.InferInput<typeof workflowLinkResponse> {
  const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return { workflowId, url: baseUrl.replace(/\/$/, '') + path };
}
