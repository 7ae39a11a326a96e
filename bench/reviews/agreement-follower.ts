import { createAgreementActivities } from '../../activities/agreement-switch.ts';
import { connect } from '../../db/core/client.ts';
import { followedBatches, readTask } from '../harness/follow.ts';

/**
 * A process that lets a vendor's offers follow its agreement, as the worker's activities do, and
 * tells of each batch.
 */

const { databaseUrl, vendorId, limit } = readTask(process.argv);
const sql = connect(databaseUrl, { max: 2, name: 'bench follower' });
const { applyAgreementBatch } = createAgreementActivities({ sql });
process.send?.(await followedBatches(() => applyAgreementBatch({ vendorId, limit })));
await sql.end({ timeout: 5 });
process.disconnect();
