import { findSecretShapes } from '../security/secret-shapes.ts';
import type { Check, Finding } from './check.ts';

/** Histories are read by everyone who may open the Temporal UI, and no secret belongs there. */
export const secretsInHistories: Check = {
  id: 'secret-in-history',
  title: 'No history contains a secret',
  repair: null,
  find: async function* find({ histories }) {
    for await (const { workflowId, runId, events } of histories()) {
      const findings = events.flatMap((event, index) =>
        findSecretShapes(event).map((shape): Finding => {
          const text = `has ${shape} in event ${index + 1}`;
          return { subjectType: 'run', subjectId: runId, text, workflowId };
        }),
      );
      yield { checked: 1, findings };
    }
  },
};
