import type * as v from 'valibot';
import type { changedAgreementResponse } from '../../api/accounts/operator-agreement.ts';
import type {
  createdCredentialResponse,
  credentialResponse,
} from '../../api/accounts/responses/credential.ts';
import type { operatorVendorResponse } from '../../api/accounts/responses/operator-vendor.ts';
import type { vendorSummaryResponse } from '../../api/accounts/responses/vendor-summary.ts';
import type {
  reviewJobResponse,
  reviewResultResponse,
} from '../../api/jobs/responses/review-job.ts';
import type { auditEntryResponse } from '../../api/operator/audit-route.ts';
import type { doctorResponse } from '../../api/operator/doctor-route.ts';
import type {
  operatorResponse,
  operatorWithSecretResponse,
} from '../../api/operator/responses/operator.ts';
import type { operatorJobResponse } from '../../api/jobs/responses/job.ts';
import type { candidatesResponse } from '../../api/offers/operators/operator-candidates.ts';
import type { operatorOfferResponse } from '../../api/offers/responses/operator-offer.ts';
import type {
  offerForReviewResponse,
  queuedOfferResponse,
} from '../../api/offers/responses/offer-for-review.ts';
import type { facetsResponse } from '../../api/offers/responses/review-facets.ts';
import type { operatorVariantResponse } from '../../api/offers/responses/variant.ts';
import type {
  operatorReturnDetailResponse,
  operatorReturnResponse,
} from '../../api/returns/responses/operator-return.ts';
import type {
  listedOrderResponse,
  orderWithGroupsResponse,
} from '../../api/orders/responses/operator-group.ts';
import type { statisticsResponse } from '../../api/statistics/operator-statistics.ts';
import type { operatorUpcomingPage } from '../../api/upcoming/upcoming-response.ts';
import type { attemptDetailsResponse } from '../../api/webhooks/responses/attempt-details.ts';
import type {
  operatorDeliveryResponse,
  operatorSubscriptionResponse,
} from '../../api/webhooks/responses/operator-webhook.ts';

/** What the API answers, by its own schemas: a page that reads another field does not compile. */
export type Offer = v.InferInput<typeof operatorOfferResponse>;
export type QueuedOffer = v.InferInput<typeof queuedOfferResponse>;
export type Facets = v.InferInput<typeof facetsResponse>;
export type OfferDetail = v.InferInput<typeof offerForReviewResponse>;
export type Variant = v.InferInput<typeof operatorVariantResponse>;
export type Candidates = v.InferInput<typeof candidatesResponse>;
export type Vendor = v.InferInput<typeof operatorVendorResponse>;
export type VendorSummary = v.InferInput<typeof vendorSummaryResponse>;
export type ReviewJob = v.InferInput<typeof reviewJobResponse>;
export type ReviewResult = v.InferInput<typeof reviewResultResponse>;
export type Return = v.InferInput<typeof operatorReturnResponse>;
export type ReturnDetail = v.InferInput<typeof operatorReturnDetailResponse>;
export type ListedOrder = v.InferInput<typeof listedOrderResponse>;
export type Order = v.InferInput<typeof orderWithGroupsResponse>;
export type OrderGroup = Order['groups'][number];
export type Operator = v.InferInput<typeof operatorResponse>;
export type OperatorWithSecret = v.InferInput<typeof operatorWithSecretResponse>;
export type DoctorReport = v.InferInput<typeof doctorResponse>;
export type AuditEntry = v.InferInput<typeof auditEntryResponse>;
export type AgreementChange = v.InferInput<typeof changedAgreementResponse>;
export type Credential = v.InferInput<typeof credentialResponse>;
export type CreatedCredential = v.InferInput<typeof createdCredentialResponse>;
export type Job = v.InferInput<typeof operatorJobResponse>;
export type Subscription = v.InferInput<typeof operatorSubscriptionResponse>;
export type Delivery = v.InferInput<typeof operatorDeliveryResponse>;
export type Attempt = v.InferInput<typeof attemptDetailsResponse>;
export type UpcomingPage = v.InferInput<typeof operatorUpcomingPage>;
export type Statistics = v.InferInput<typeof statisticsResponse>;

export type ListOf<T> = {
  readonly items: readonly T[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly totalCount: number;
    readonly totalPages: number;
  };
};
