import { isId } from './api-path.ts';
import type { Visit } from './visit.ts';

/** The visits whose key the API has refused: it belongs to another request. */
const reused = new WeakSet<Visit>();
export const noteReusedKey = (visit: Visit): void => {
  reused.add(visit);
};

/**
 * The key of a form that creates. A form that `isSent` keeps its key when it is shown again: a call
 * that failed may have created already, and the API keeps no response that refuses.
 */
export function formKey(visit: Visit, isSent: boolean): string {
  const sent = visit.typed('key');
  return isSent && isId(sent) && !reused.has(visit) ? sent : crypto.randomUUID();
}
