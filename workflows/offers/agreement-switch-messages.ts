export type AgreementSwitchInput = {
  readonly vendorId: string;
  /** What earlier runs of the same switch did, before continue-as-new. */
  readonly done: AgreementProgress;
};

export type AgreementProgress = { readonly offers: number; readonly supplyOptions: number };

/** What one batch did. */
export type AgreementBatch = AgreementProgress & {
  /** Offers that are still outdated. */
  readonly remaining: number;
  /** Whether every offer and supply option is up to date. */
  readonly isSettled: boolean;
};
