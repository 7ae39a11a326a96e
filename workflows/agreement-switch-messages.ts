import { defineSignal } from '@temporalio/workflow';

export type AgreementSwitchInput = {
  readonly vendorId: string;
  /** What earlier runs of a long switch have done. */
  readonly done: AgreementProgress;
};

export type AgreementProgress = { readonly offers: number; readonly supplyOptions: number };

/** What one batch did. */
export type AgreementBatch = AgreementProgress & {
  /** Offers that have yet to follow. */
  readonly remaining: number;
  /** Every offer and supply option follows the agreement that is in force. */
  readonly isSettled: boolean;
};

/** Another agreement is in force: look again. */
export const agreementChanged = defineSignal('changed');
