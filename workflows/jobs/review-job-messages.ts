/** Postgres has the items. `operatorId` is the id of the operator's row. */
export type ReviewJobInput = { readonly jobId: string; readonly operatorId: string };
