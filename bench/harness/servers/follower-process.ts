import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import { connect } from '../../../db/core/client.ts';
import { answerParent } from '../fork-program.ts';
import type { FollowedBatch, FollowTask } from './follower.ts';

/**
 * A process that lets a vendor's offers follow its agreement, as the worker's activities do, and
 * tells of each batch.
 */

answerParent(async ({ databaseUrl, vendorId, limit }: FollowTask) => {
  const sql = connect(databaseUrl, { max: 2, name: 'bench follower' });
  const { applyAgreementBatch } = createAgreementActivities({ sql });
  const batches: FollowedBatch[] = [];
  for (;;) {
    const begun = performance.now();
    const { offers, supplyOptions, isSettled } = await applyAgreementBatch({ vendorId, limit });
    batches.push({ ms: performance.now() - begun, offers, supplyOptions });
    if (isSettled) return batches;
  }
});
