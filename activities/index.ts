import { createAgreementActivities, type AgreementActivities } from './agreement-switch.ts';
import { createClockActivities, type ClockActivities } from './clock-advance.ts';
import { createJobActivities, type JobActivities, type JobDependencies } from './bulk-job.ts';
import { createDeliveryActivities, type DeliveryActivities } from './deliveries/deliver.ts';
import type { DeliveryPipeline } from './deliveries/delivery-pipeline.ts';
import { createBatchActivities, type BatchActivities } from './deliveries/deliver-batch.ts';
import { createInspectionActivities, type InspectionActivities } from './return-inspection.ts';
import { createReviewActivities, type ReviewActivities } from './offer-review.ts';
import {
  createMaintenanceActivities,
  type MaintenanceActivities,
  type MaintenanceDependencies,
} from './maintenance.ts';
import { createReviewJobActivities, type ReviewJobActivities } from './review-job.ts';
import { createResealingActivities, type ResealingActivities } from './reseal-secrets.ts';

export type Activities = ReviewActivities &
  InspectionActivities &
  DeliveryActivities &
  BatchActivities &
  AgreementActivities &
  ClockActivities &
  JobActivities &
  ReviewJobActivities &
  MaintenanceActivities &
  ResealingActivities;

/** Creates every activity of the worker. */
export function createActivities(
  dependencies: MaintenanceDependencies & JobDependencies,
  pipeline: DeliveryPipeline,
): Activities {
  return {
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
  };
}
