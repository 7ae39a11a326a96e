import { createAgreementActivities, type AgreementActivities } from './agreement-switch.ts';
import { createDeliveryActivities, type DeliveryActivities } from './deliver.ts';
import { createDeliveryPipeline, type DeliveryDependencies } from './delivery-pipeline.ts';
import { createBatchActivities, type BatchActivities } from './deliver-batch.ts';
import { createInspectionActivities, type InspectionActivities } from './return-inspection.ts';
import { createReviewActivities, type ReviewActivities } from './offer-review.ts';
import {
  createMaintenanceActivities,
  type MaintenanceActivities,
  type MaintenanceDependencies,
} from './maintenance.ts';

export type Activities = ReviewActivities &
  InspectionActivities &
  DeliveryActivities &
  BatchActivities &
  AgreementActivities &
  MaintenanceActivities;

/** Creates every activity of the worker. */
export function createActivities(
  dependencies: DeliveryDependencies & MaintenanceDependencies,
): Activities {
  const pipeline = createDeliveryPipeline(dependencies);
  return {
    ...createReviewActivities(dependencies),
    ...createInspectionActivities(dependencies),
    ...createDeliveryActivities(pipeline),
    ...createBatchActivities(pipeline),
    ...createAgreementActivities(dependencies),
    ...createMaintenanceActivities(dependencies),
  };
}
