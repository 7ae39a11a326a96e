import { createAgreementActivities } from './agreement-switch.ts';
import { createClockActivities } from './clock-advance.ts';
import { createJobActivities, type JobDependencies } from './bulk-job.ts';
import { createDeliveryActivities } from '../deliveries/retry-attempt.ts';
import type { DeliveryPipeline } from '../deliveries/delivery-pipeline.ts';
import { createBatchActivities } from '../deliveries/earlier-batches.ts';
import { createInspectionActivities } from './return-inspection.ts';
import { createReviewActivities, type ReviewDependencies } from './offer-review.ts';
import { createMaintenanceActivities, type MaintenanceDependencies } from './maintenance.ts';
import { createReviewJobActivities } from './review-job.ts';
import { createResealingActivities } from './reseal-secrets.ts';

/** Creates every activity of the worker. */
export const createActivities = (
  dependencies: MaintenanceDependencies & JobDependencies & ReviewDependencies,
  pipeline: DeliveryPipeline,
) => ({
  ...createReviewActivities(dependencies),
  ...createInspectionActivities(dependencies),
  ...createDeliveryActivities(pipeline),
  ...createBatchActivities(pipeline),
  ...createAgreementActivities(dependencies),
  ...createClockActivities(dependencies),
  ...createJobActivities(dependencies),
  ...createReviewJobActivities(dependencies),
  ...createMaintenanceActivities(dependencies),
  ...createResealingActivities({ ...dependencies, sealer: pipeline.sealer }),
});

export type Activities = ReturnType<typeof createActivities>;
