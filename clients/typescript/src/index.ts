export { createVendorClient, type VendorClient } from './client.ts';
export type { ChangePage, Changes } from './core/changes.ts';
export { describeDetails } from './core/describe-details.ts';
export { decodeUtf8, EncodingError } from './core/encoding.ts';
export type { DetailsByCode, ErrorCode, FieldError } from './core/error-details.ts';
export { VendorGatewayError, type DetailsByState, type ErrorState } from './core/errors.ts';
export type { OpenClientOptions, VendorClientOptions } from './core/http.ts';
export type { CallOptions } from './core/operation-types.ts';
export type { Page, Pages } from './core/pages.ts';
export type { RetryOptions } from './core/send.ts';
export { credentialsOf, type Credential } from './resources/credentials.ts';
export { EventsExpiredError, type Events, type FeedOptions } from './resources/events.ts';
export type {
  FileContent,
  Job,
  JobFilters,
  JobItemResult,
  JobKind,
  NewJob,
  WaitOptions,
} from './resources/jobs.ts';
export type {
  CreatedOffer,
  FlatOffer,
  NestedOffer,
  NewOffer,
  Offer,
  OfferFilters,
} from './resources/offers.ts';
export type { FulfilmentGroup, ShipmentFilters } from './resources/orders.ts';
export {
  AdvanceStoppedError,
  registerSandboxVendor,
  type SandboxClock,
  type SandboxRegistration,
} from './resources/sandbox.ts';
export type { ReturnFilters, ReturnRequest } from './resources/returns.ts';
export type { DeliveryAttempt, Subscription } from './resources/subscriptions.ts';
export type { paths } from './schema.ts';
