import { msToTs } from '@temporalio/common/lib/time.js';
import { loadConfigOrExit } from '../../process/config.ts';
import { lazyClient } from '../../temporal/connection/connection.ts';

/** Creates the namespace of a new Temporal server, unless it is there. Fails while none answers. */

const config = loadConfigOrExit();
const { connection } = lazyClient(config);
const namespace = config.TEMPORAL_NAMESPACE;
try {
  await connection.workflowService.describeNamespace({ namespace }).catch(() =>
    connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('30 days'),
    }),
  );
} finally {
  await connection.close();
}
