import { createAgreementActivities, type AgreementActivities } from './agreement-switch.ts';
import { createDeliveryActivities, type DeliveryActivities } from './deliver.ts';
import { createDeliveryPipeline, type DeliveryDependencies } from './delivery-pipeline.ts';
import { createDispatchActivities, type DispatchActivities } from './deliver-batch.ts';
import { createInspectionActivities, type InspectionActivities } from './return-inspection.ts';
import { createReviewActivities, type ReviewActivities } from './offer-review.ts';

import { createUpkeepActivities, type UpkeepActivities } from './maintenance.ts';

export type Activities = ReviewActivities &
  InspectionActivities &
  DeliveryActivities &
  DispatchActivities &
  AgreementActivities &
  UpkeepActivities;

/** Every activity, given what it needs. */
export function createActivities(dependencies: DeliveryDependencies): Activities {
  const pipeline = createDeliveryPipeline(dependencies);
  return {
    ...createReviewActivities(dependencies),
    ...createInspectionActivities(dependencies),
    ...createDeliveryActivities(pipeline),
    ...createDispatchActivities(pipeline),
    ...createAgreementActivities(dependencies),
    ...createUpkeepActivities(dependencies),
  };
}
