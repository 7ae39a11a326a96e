import { findSecretShapes } from '../security/secret-shapes.ts';
import type { Check } from './check.ts';

/** Histories are read by everyone who may open the Temporal UI, and no secret belongs there. */
export const secretsInHistories: Check = {
  id: 'secret-in-history',
  title: 'No history contains a secret',
  subjectType: 'run',
  kind: null,
  repair: null,
  find: async function* find({ histories }) {
    for await (const { workflowId, runId, events } of histories()) {
      const wrong = events.flatMap((event, index) =>
        findSecretShapes(event).map((shape) => {
          return { id: runId, text: `has ${shape} in event ${index + 1}`, workflowId };
        }),
      );
      yield { checked: 1, wrong };
    }
  },
};
