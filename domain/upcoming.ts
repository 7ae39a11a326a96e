import type { Capability } from './accounts/capabilities.ts';

/** The kinds of upcoming changes. */
export const upcomingKinds = [
  'ReturnInspectionStart',
  'ReturnInspectionEnd',
  'WebhookRetry',
  'WebhookDeactivation',
  'CredentialExpiry',
] as const;
export type UpcomingKind = (typeof upcomingKinds)[number];

/** The capability that the routes of a kind's subjects need. */
export const capabilityForUpcoming: Readonly<Record<UpcomingKind, Capability>> = {
  ReturnInspectionStart: 'Orders',
  ReturnInspectionEnd: 'Orders',
  WebhookRetry: 'Orders',
  WebhookDeactivation: 'Orders',
  CredentialExpiry: 'Account',
};
