import type { Capability } from './accounts/capabilities.ts';

/** The kinds of upcoming changes, with the capability that the routes of their subjects need. */
export const capabilityForUpcoming = {
  ReturnInspectionStart: 'Orders',
  ReturnInspectionEnd: 'Orders',
  WebhookRetry: 'Orders',
  WebhookDeactivation: 'Orders',
  CredentialExpiry: 'Account',
} as const satisfies Readonly<Record<string, Capability>>;
export type UpcomingKind = keyof typeof capabilityForUpcoming;
export const upcomingKinds = Object.keys(capabilityForUpcoming) as [
  UpcomingKind,
  ...UpcomingKind[],
];
