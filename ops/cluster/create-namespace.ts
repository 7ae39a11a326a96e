import { loadConfigOrExit } from '../../config.ts';
import { lazyClient } from '../../temporal/connection.ts';

/** Creates the namespace of a new Temporal server, unless it is there. Fails while none answers. */

const config = loadConfigOrExit();
const { connection } = lazyClient(config);
const namespace = config.TEMPORAL_NAMESPACE;
const day = 24 * 3600;
try {
  await connection.workflowService.describeNamespace({ namespace }).catch(() =>
    connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 30 * day },
    }),
  );
} finally {
  await connection.close();
}
