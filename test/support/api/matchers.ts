import { expect } from 'vitest';

/** An instant as the API writes it. */
export const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const uuid: unknown = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

export const uuidV7: unknown = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

/** A workflow as the API names it, with the links to it and to all of its runs. */
export const workflowOf = (workflowId: string) => {
  const workflows = 'http://temporal-ui.test/namespaces/default/workflows';
  const query = encodeURIComponent(`WorkflowId="${workflowId}"`);
  return {
    workflowId,
    url: `${workflows}/${encodeURIComponent(workflowId)}`,
    runsUrl: `${workflows}?query=${query}`,
  };
};
